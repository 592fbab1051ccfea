/**
 * A value, or a promise of it if it has to be waited for. Most verifications wait only for their body, and each async
 * function they went through would allocate about half a kilobyte.
 */
export type Eventual<Value> = Value | Promise<Value>;

/** Uses a value, immediately if it's ready. */
export function whenReady<Value, Result>(value: Eventual<Value>, use: (value: Value) => Result): Eventual<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
