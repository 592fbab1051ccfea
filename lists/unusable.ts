/** A problem with a list or a file that the user can fix; `message` is for them. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

/** The message for a failure with a list or a file. */
export function failureText(error: unknown): string {
  return error instanceof Unusable ? error.message : "Something went wrong. Try again.";
}
