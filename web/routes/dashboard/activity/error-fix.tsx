import { ERRORS } from "../../../../contract/errors.ts";
import { SANDBOX_FAILURES, sandboxFailureMessage } from "../../../../contract/sandbox.ts";

interface Explanation {
  readonly message: string;
  readonly fix: string;
  /** There is nothing to fix: `fix` says why it happened. */
  readonly isSandbox?: boolean;
}

/** What an error code means; undefined for one that this page doesn't know. */
export function explain(code: string): Explanation | undefined {
  const scenario = SANDBOX_FAILURES.find(({ name }) => name === code);
  if (scenario) {
    // The sandbox's other failures are those of one number.
    const when =
      code === "REJECTED_FORMAT"
        ? "Test keys return this for fewer than six digits, such as"
        : "The sandbox always returns this for";
    const fix = `${when} \`${scenario.number}\`. Live keys never get this error.`;
    return { message: sandboxFailureMessage(scenario), fix, isSandbox: true };
  }
  return (ERRORS as Readonly<Record<string, Explanation>>)[code];
}

/** A text with `code` between backticks, and an apostrophe as it is printed. */
export function WithCode({ children }: { children: string }) {
  return children.split("`").map((part, at) =>
    // The parts have no other identity than their place.
    // oxlint-disable-next-line react/no-array-index-key
    at % 2 === 0 ? (
      part.replaceAll("'", "’")
    ) : (
      <code key={at} className="font-mono text-xs text-ink">
        {part}
      </code>
    ),
  );
}

/** What to do about an error. */
export function ErrorFix({ code }: { code: string }) {
  return <WithCode>{explain(code)?.fix ?? ""}</WithCode>;
}
