/**
 * Seconds until a message is redelivered: doubles each time, from `first` up to `longest`.
 * @param attempts its deliveries so far, from 1
 */
export function backoffSeconds(
  attempts: number,
  { first, longest }: { readonly first: number; readonly longest: number },
) {
  return Math.min(first * 2 ** (attempts - 1), longest);
}
