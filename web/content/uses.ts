import type { Acceptance } from "../../contract/verification.ts";

/** One job of the API: a request, and what its response then says. The test beside this file asks the engine. */
export interface Use {
  readonly title: string;
  readonly text: string;
  readonly request: { readonly number: string; readonly country?: string } & Acceptance;
  /** Fields of the result that do the job. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly link: { readonly to: string; readonly label: string };
}

export const USES: readonly Use[] = [
  {
    title: "Catch typos at sign-up",
    text: "Say what’s wrong with a number while its owner is still on the page, and ask whether they meant another.",
    request: { number: "+55 11 8765 4321" },
    answer: { reason: "UNASSIGNED_RANGE", suggestion: { number: "+5511987654321" } },
    link: { to: "/docs/integration", label: "Verify on your server" },
  },
  {
    title: "Clean a customer list",
    text: "Drop in a CSV or Excel file, get your columns back plus the results. Numbers typed ten different ways become one format.",
    request: { number: "tel. (020) 7981 3000", country: "GB" },
    answer: { number: "+442079813000" },
    link: { to: "/docs/bulk-check", label: "Verify a file" },
  },
  {
    title: "Don’t text landlines",
    text: "Find the numbers that can’t get a message before you pay to send one.",
    request: { number: "+44 20 7981 3000" },
    answer: { line_type: "fixed", deliverability: { sms: "unlikely" } },
    link: { to: "/docs/response-schema", label: "Every field" },
  },
  {
    title: "Accept only what you serve",
    text: "Name the country and the kinds of line you take. The response says yes or no, and why.",
    request: { number: "+1 202 762 1401", expect_country: "US", accept_line_types: ["mobile", "unknown"] },
    answer: { accepted: false, rejected_because: "LINE_TYPE_NOT_ACCEPTED" },
    link: { to: "/docs/verify#the-line-you-accept", label: "What it knows in the US" },
  },
];
