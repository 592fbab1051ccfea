import { INVALID_REASONS } from "../../contract/result-values.ts";

/** Who is compared, with the page that has the details and the sources. */
export const ALTERNATIVES = [
  { name: "libphonenumber", note: "in your own code", to: "/docs/from-libphonenumber" },
  { name: "Twilio Lookup", note: "its basic request", to: "/docs/from-twilio-lookup" },
  { name: "numverify", note: "", to: "/docs/from-numverify" },
] as const;

/** When their documentation was read: the date on the pages above, which a test compares. */
export const COMPARED_ON = "Nov 22, 2026";

/** A question, our answer, and each alternative's. */
type Row = readonly [question: string, checkline: string, libphonenumber: string, twilio: string, numverify: string];

/** Only what the pages above say, and what /docs/accuracy measured. Rows where another is the better choice stay. */
export const COMPARISON: readonly Row[] = [
  ["Why a number is invalid", `${INVALID_REASONS.length} reasons`, "Its length or calling code", "6 errors", "No"],
  ["“Did you mean…?”", "Yes", "No", "No", "No"],
  ["Carrier of the range", "By brand, where published", "In Java, not in JavaScript", "Paid package", "Yes"],
  ["Mobile or landline", "If the plan or a register says", "If the plan says", "Paid package", "Yes"],
  ["Agrees with the tests of five other projects", "87.0%", "87.2%", "Not measured", "Not measured"],
  ["Time zones", "Yes", "In Java, not in JavaScript", "No", "No"],
  ["Many numbers in one call", "100, or 100,000 streamed", "Needs no call", "No", "No"],
  ["Queries the network: SIM swap, line status", "No", "No", "Paid packages", "No"],
  ["Works offline", "No", "Yes", "No", "No"],
  ["Your numbers", "Never stored", "Stay on your machine", "See its terms", "See its terms"],
  ["Price", "Free trial; pricing coming soon", "Free", "Free", "100 a month free, noncommercial"],
];
