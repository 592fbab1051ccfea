/**
 * A value, or a native promise if it isn't ready. Most verifications wait only for their body, and each async function
 * on the way would allocate about half a kilobyte. Functions that return one may also throw synchronously.
 */
export type Eventual<Value> = Value | Promise<Value>;

/** Uses a value, immediately if it's ready. */
export function whenReady<Value, Result>(value: Eventual<Value>, use: (value: Value) => Result): Eventual<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
