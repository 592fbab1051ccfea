import { INVALID_REASONS } from "../../contract/result-values.ts";

/** Who is compared, with the page that has the details and the sources. */
export const ALTERNATIVES = [
  { name: "libphonenumber", note: "in your own code", to: "/docs/from-libphonenumber" },
  { name: "Twilio Lookup", note: "its basic request", to: "/docs/from-twilio-lookup" },
  { name: "numverify", note: "", to: "/docs/from-numverify" },
] as const;

/** When their documentation was read: the date on the pages above, which a test compares. */
export const COMPARED_ON = "Nov 22, 2026";

/** A mark, and what it means here; no mark where there is no yes or no. */
export type Cell = readonly [mark: "yes" | "partly" | "no" | null, text: string];

const YES: Cell = ["yes", "Yes"];
const NO: Cell = ["no", "No"];

/** A question, our answer, and each alternative's. */
type Row = readonly [question: string, checkline: Cell, libphonenumber: Cell, twilio: Cell, numverify: Cell];

/** Only what the pages above say, and what /docs/accuracy measured. Rows where another is the better choice stay. */
export const COMPARISON: readonly Row[] = [
  [
    "Why a number is invalid",
    ["yes", `${INVALID_REASONS.length} reasons`],
    ["partly", "Its length or calling code"],
    ["partly", "6 errors"],
    NO,
  ],
  ["“Did you mean…?”", YES, NO, NO, NO],
  [
    "Carrier of the range",
    ["partly", "By brand, where published"],
    ["partly", "In Java, not in JavaScript"],
    ["partly", "Paid package"],
    YES,
  ],
  [
    "Mobile or landline",
    ["partly", "When a plan or register says so"],
    ["partly", "When the plan says so"],
    ["partly", "Paid package"],
    YES,
  ],
  [
    "Agrees with the tests of five other projects",
    [null, "87.0%"],
    [null, "87.2%"],
    [null, "Not measured"],
    [null, "Not measured"],
  ],
  ["Time zones", YES, ["partly", "In Java, not in JavaScript"], NO, NO],
  ["Many numbers in one call", ["yes", "100, or 100,000 streamed"], ["yes", "Runs locally"], NO, NO],
  ["Queries the network: SIM swap, line status", NO, NO, ["partly", "Paid packages"], NO],
  ["Works offline", NO, YES, NO, NO],
  [
    "Your numbers",
    [null, "Never stored"],
    [null, "Stay on your machine"],
    [null, "See its terms"],
    [null, "See its terms"],
  ],
  [
    "Price",
    [null, "Free trial; pricing coming soon"],
    [null, "Free"],
    [null, "Free"],
    [null, "100 a month free, noncommercial"],
  ],
];
