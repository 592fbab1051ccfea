import type { Acceptance } from "../../contract/verification.ts";

/** What a card of the landing page shows: a drawing, and the request behind it, which the test beside this file sends. */
export interface Use {
  readonly title: string;
  readonly text: string;
  /** The number as sent, and what the response says about it. */
  readonly drawing: {
    readonly digits: string;
    readonly facts: readonly { readonly label: string; readonly value: string; readonly tone?: "unknown" | "wrong" }[];
  };
  /** What follows the number. */
  readonly mark: "check" | "cross" | "none";
  /** Without a number, which is the drawing's; null if the drawing isn't of a request. */
  readonly request: ({ readonly country?: string } & Acceptance) | null;
  /** Fields of the result that the drawing shows. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly link: { readonly to: string; readonly label: string };
}

export const USES: readonly Use[] = [
  {
    title: "Catch typos at sign-up",
    text: "Tell people what’s wrong while they’re still on the form, and suggest the number they meant.",
    drawing: {
      digits: "+39 0347 1234567",
      facts: [
        { label: "Suggestion", value: "+39 347 123 4567" },
        { label: "Because", value: "The zero is only dialed at home" },
      ],
    },
    mark: "cross",
    request: {},
    answer: { valid: false, suggestion: { number: "+393471234567", reason: "TRUNK_PREFIX_KEPT" } },
    link: { to: "/docs/integration", label: "Verify on your server" },
  },
  {
    title: "Clean a customer list",
    text: "Drop in a CSV or Excel file and get it back with the results added. Ten notations become one format.",
    drawing: {
      digits: "tel. (020) 7981 3000",
      facts: [
        { label: "Number", value: "+44 20 7981 3000" },
        { label: "Area", value: "London" },
      ],
    },
    mark: "check",
    request: { country: "GB" },
    answer: { international_format: "+44 20 7981 3000", location: "London" },
    link: { to: "/docs/bulk-check", label: "Verify a file" },
  },
  {
    title: "Don’t text landlines",
    text: "Find the numbers unlikely to receive a text before you pay to send one.",
    drawing: {
      digits: "+33 1 40 20 50 50",
      facts: [
        { label: "Line type", value: "Landline" },
        { label: "Messages", value: "Unlikely", tone: "unknown" },
      ],
    },
    mark: "check",
    request: {},
    answer: { valid: true, line_type: "fixed", deliverability: { sms: "unlikely" } },
    link: { to: "/docs/response-schema", label: "Every field" },
  },
  {
    title: "Accept only what you serve",
    text: "Set the country and number types you accept. The response says yes or no, and why.",
    drawing: {
      digits: "+1 202 762 1401",
      facts: [
        { label: "You accept", value: "US, mobile or unknown" },
        { label: "Accepted", value: "No: it’s a landline", tone: "wrong" },
      ],
    },
    mark: "cross",
    request: { expect_country: "US", accept_line_types: ["mobile", "unknown"] },
    answer: { line_type: "fixed", accepted: false, rejected_because: "LINE_TYPE_NOT_ACCEPTED" },
    link: { to: "/docs/verify#the-line-you-accept", label: "What it knows in the US" },
  },
  {
    title: "It tells you what it doesn’t know",
    text: "Each field names its source: the numbering plan or the original allocation. We never contact the handset, and never pretend we did.",
    drawing: {
      digits: "+1 907 465 2111",
      facts: [
        { label: "Carrier", value: "null", tone: "unknown" },
        { label: "Line type", value: "null", tone: "unknown" },
      ],
    },
    mark: "check",
    request: {},
    answer: { valid: true, carrier: null, line_type: null, reachability: "not_checked" },
    link: { to: "/docs/coverage", label: "What’s known, by country" },
  },
  {
    title: "Numbers are never stored",
    text: "Not in a database, not in logs, not in error reports. We keep daily counts and a sample of calls, minus the numbers.",
    drawing: {
      digits: "+·· ··· ··· ····",
      facts: [
        { label: "We keep", value: "200 in 3 ms" },
        { label: "Request ID", value: "req_mL0bZOMM, all we need to help you" },
      ],
    },
    mark: "none",
    request: null,
    answer: {},
    link: { to: "/policy", label: "The privacy policy" },
  },
];
