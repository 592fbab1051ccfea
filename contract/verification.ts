import * as v from "valibot";
import { bodySchema, described, Integer } from "./body.ts";
import { COUNTRY_NAMES } from "./country-names.ts";
import { MAX_BATCH_SIZE, MAX_NUMBER_LENGTH } from "./limits.ts";
import { ErrorBody } from "./errors.ts";
import {
  ALLOCATION_STATES,
  DELIVERABILITY_FLAGS,
  INVALID_REASONS,
  LIKELIHOODS,
  LINE_TYPE_SOURCES,
  LINE_TYPES,
  NUMBER_TYPES,
  REJECTION_REASONS,
  SHORT_CODE_COSTS,
  SUGGESTION_REASONS,
} from "./result-values.ts";
import { SANDBOX_SUCCESS_STATUS } from "./sandbox.ts";

const nullableText = v.nullable(v.string());

/** The result for one number. `valid: false` is a result, not an error. */
export const VerificationResult = v.object({
  valid: described(v.boolean(), "Whether the number is in a range assigned by its country's numbering plan."),
  number: described(
    nullableText,
    "The number in E.164, as we understood it; null if we couldn't read one or it has more than 15 digits.",
  ),
  local_format: described(nullableText, "How the number is written within its country; null if invalid."),
  international_format: described(nullableText, "How the number is written for callers abroad; null if invalid."),
  rfc3966: described(
    nullableText,
    "The number as a URI for links, such as tel:+55-11-98765-4321, with its extension; null if invalid.",
  ),
  country_prefix: described(nullableText, "The calling code with its plus sign, such as +55."),
  national_number: described(
    nullableText,
    "The digits after the calling code, including leading zeros; null if number is.",
  ),
  country_code: described(nullableText, "ISO 3166-1 alpha-2; null for calling codes that don't belong to a country."),
  country_name: described(nullableText, "The country's English name."),
  location: described(
    nullableText,
    "The area a geographic number was assigned to, or the country name if the plan has nothing more specific.",
  ),
  carrier: described(
    nullableText,
    "The carrier whose range it is: the brand of the company that was given it, or of its successor where we have reviewed the name. A ported number may have moved to another.",
  ),
  line_type: described(
    v.nullable(v.picklist(LINE_TYPES)),
    "Null when neither the plan nor the range's holder determines it. See line_type_source.",
  ),
  line_type_source: described(
    v.nullable(v.picklist(LINE_TYPE_SOURCES)),
    "Where line_type comes from: the numbering plan, or the kind of company the range was first allocated to, which porting doesn't change. Null if line_type is.",
  ),
  number_type: described(v.picklist(NUMBER_TYPES), "The numbering plan's own, more specific type."),
  extension: described(nullableText, "The extension in the input, digits only."),
  possible: described(
    v.boolean(),
    "Whether the number is valid, or at least has a length the country's numbering plan uses.",
  ),
  reason: described(v.nullable(v.picklist(INVALID_REASONS)), "Why the number is invalid; null if valid."),
  suggestion: described(
    v.nullable(
      v.object({
        number: described(v.string(), "A valid number in E.164."),
        reason: described(v.picklist(SUGGESTION_REASONS), "How the number sent differs from it."),
      }),
    ),
    "The number the user may have meant, if exactly one fits; null otherwise. Ask before you use it.",
  ),
  candidates: described(
    v.array(v.string()),
    "If reason is MULTIPLE_NUMBERS, the valid numbers among those in the input, in E.164, at most five; otherwise empty.",
  ),
  short_code: described(
    v.nullable(
      v.object({
        cost: described(v.picklist(SHORT_CODE_COSTS), "What a call costs."),
        emergency: described(v.boolean(), "Whether it reaches an emergency service."),
      }),
    ),
    "Details about a short code; null unless reason is SHORT_CODE.",
  ),
  time_zones: described(v.array(v.string()), "IANA time zones the number may be in; empty if invalid."),
  carrier_source: described(
    v.literal("original_allocation"),
    "Where carrier comes from: the original allocation of the range, not a live network query.",
  ),
  allocation: described(
    v.nullable(
      v.object({
        status: described(
          v.picklist(ALLOCATION_STATES),
          "Whether the regulator has given the range to a company; unknown if its register is too old to tell, or lists the range as neither given nor free. In the US, it's the status of the number's code, which may be split into blocks; some of those may be free.",
        ),
        as_of: described(v.pipe(v.string(), v.isoDate()), "The register's date."),
        holder: described(nullableText, "The company's legal name; null if unknown."),
        holder_as_of: described(
          v.nullable(v.pipe(v.string(), v.isoDate())),
          "The date of the holder, which can be older than the register; null if holder is.",
        ),
      }),
    ),
    "Who was given the number's range, according to the country's public register; null if we have no register for the number. It isn't who serves the number today.",
  ),
  number_portability: described(
    v.nullable(v.boolean()),
    "Whether mobile numbers can move between carriers in this country; null for short codes and without a country.",
  ),
  deliverability: described(
    v.object({
      sms: described(v.picklist(LIKELIHOODS), "Whether this type of number receives text messages."),
      voice: described(v.picklist(LIKELIHOODS), "Whether this type of number receives calls."),
      flags: described(
        v.array(v.picklist(DELIVERABILITY_FLAGS)),
        "The reasons behind the estimates, and other warning signs.",
      ),
    }),
    "How reachable this type of number is, based on the numbering plan. We don't query networks.",
  ),
  reachability: described(v.literal("not_checked"), "We never contact the handset."),
  accepted: described(
    v.nullable(v.boolean()),
    "Whether the number is valid and meets the request's conditions; null if it has none.",
  ),
  rejected_because: described(
    v.nullable(v.picklist(REJECTION_REASONS)),
    "Why the number isn't accepted; null if it is, or if the request has no conditions.",
  ),
  status: v.optional(
    described(v.literal(SANDBOX_SUCCESS_STATUS), "The sandbox's delivery status: with a test key, for a valid number."),
  ),
});
export type VerificationResult = v.InferOutput<typeof VerificationResult>;

/** The result with a live key for web pages, which anyone can read there: what a form needs, and no more. */
export const PageResult = v.pick(VerificationResult, [
  "valid",
  "number",
  "reason",
  "suggestion",
  "line_type",
  "country_code",
  "accepted",
  "rejected_because",
]);
export type PageResult = v.InferOutput<typeof PageResult>;

const { second_factor: _, ...problemEntries } = ErrorBody.entries;

/** The body of a 400: as for any operation, or one of the sandbox's failures. */
export const VerifyProblem = v.object({
  ...problemEntries,
  result: v.optional(
    described(
      VerificationResult,
      "With a test key, for an input of fewer than six digits: what a live key returns for it.",
    ),
  ),
});

/** A number of a batch that is one of the sandbox's scenarios. */
export const SandboxBatchFailure = v.object({
  number: described(v.string(), "The number as it was sent."),
  error: described(v.string(), "The sandbox's error message."),
  code: described(v.string(), "The sandbox error code."),
});
export type SandboxBatchFailure = v.InferOutput<typeof SandboxBatchFailure>;

/** Why a code in uppercase isn't one of a country with a numbering plan. */
function unknownCountry(code: string): string {
  return code === "UK" ? "Use GB for the United Kingdom" : `No numbering plan is known for ${code}`;
}

const countryCode = v.pipe(
  v.string("Must be a string"),
  v.regex(/^[A-Za-z]{2}$/, "Must be an ISO 3166-1 alpha-2 country code, such as US"),
  v.toUpperCase(),
  v.check(
    (code) => Object.hasOwn(COUNTRY_NAMES, code),
    ({ input }) => unknownCountry(input),
  ),
);

function countryField(text: string) {
  return v.pipe(
    v.nullish(countryCode),
    // Before the transformation, or the document would miss it.
    v.description(text),
    v.transform((code) => code ?? undefined),
  );
}

/** The types a request can accept. */
const ACCEPTABLE_TYPES = NUMBER_TYPES.filter((type) => type !== "unknown");
type AcceptableType = (typeof ACCEPTABLE_TYPES)[number];

/** The line types a request can accept. */
const ACCEPTABLE_LINE_TYPES = [...LINE_TYPES, "unknown"] as const;
type AcceptableLineType = (typeof ACCEPTABLE_LINE_TYPES)[number];

function acceptedField<const Type extends string>(types: readonly Type[], text: string) {
  return v.pipe(
    v.nullish(
      v.pipe(
        v.array(v.picklist(types, `Must be one of ${types.join(", ")}`), "Must be an array of types"),
        v.minLength(1, "Must have at least one type"),
        v.maxLength(types.length, `Must have at most ${types.length} types`),
      ),
    ),
    v.description(text),
    v.transform((accepted) => accepted ?? undefined),
  );
}

/** Which numbers the caller accepts. */
const acceptanceOptions = {
  expect_country: countryField(
    "The country the number must be from (ISO 3166-1 alpha-2). Determines `accepted`; doesn't change how the number is parsed.",
  ),
  accept_types: acceptedField(
    ACCEPTABLE_TYPES,
    "The number types you accept, at least one. If a plan can't tell landlines from mobile numbers, either type matches.",
  ),
  accept_line_types: acceptedField(
    ACCEPTABLE_LINE_TYPES,
    "The line types you accept, at least one. `unknown` accepts a landline or mobile number whose `line_type` is null; other kinds of number, such as toll-free, never match.",
  ),
  reject_unallocated: v.pipe(
    v.nullish(v.boolean("Must be true or false")),
    v.description("Whether to reject numbers whose range the regulator lists as unassigned. Sets `accepted`."),
    v.transform((rejects) => rejects ?? undefined),
  ),
};

/** How numbers are parsed, and which ones the caller accepts. */
const options = {
  country: countryField("The country for numbers in national format (ISO 3166-1 alpha-2)."),
  ...acceptanceOptions,
};
/** A request's conditions for accepting a number. */
export interface Acceptance {
  readonly expect_country?: string | undefined;
  readonly accept_types?: AcceptableType[] | undefined;
  readonly accept_line_types?: AcceptableLineType[] | undefined;
  readonly reject_unallocated?: boolean | undefined;
}

const number = v.pipe(
  v.string("Must be a string"),
  v.maxLength(MAX_NUMBER_LENGTH, `Must be at most ${MAX_NUMBER_LENGTH} characters`),
);

export const VerifyRequest = bodySchema({
  number: described(
    number,
    "The phone number, with + and calling code, or in national format together with `country`.",
  ),
  ...options,
});
export type VerifyRequest = v.InferOutput<typeof VerifyRequest>;

/** In place of a country: that of the caller's address, as the platform has it. */
export const VISITOR = "visitor";

/** A request of the demo on the landing page. There, no sandbox handles an empty number. */
export const DemoRequest = bodySchema({
  number: described(
    v.pipe(
      number,
      v.check((text) => text.trim() !== "", "Must not be empty"),
    ),
    "The phone number, with + and calling code, or in national format together with `country`.",
  ),
  country: v.pipe(
    v.nullish(v.union([v.literal(VISITOR), countryCode])),
    v.description(
      `The country for numbers in national format (ISO 3166-1 alpha-2), or \`${VISITOR}\` for the one your IP address is in. Then \`Read-As\` names it in the response, unless it's unknown.`,
    ),
    v.transform((country) => country ?? undefined),
  ),
  ...acceptanceOptions,
  sandbox: described(
    v.optional(v.boolean("Must be true or false")),
    "Responds as to a test key. Only for the sandbox's own numbers.",
  ),
});
export type DemoRequest = v.InferOutput<typeof DemoRequest>;

/** A number of a batch, on its own, or with what replaces the request's options. */
const batchItem = v.union(
  [
    v.string(),
    bodySchema({
      number: described(v.string("Must be a string"), "The phone number."),
      country: countryField("The number's country, in place of the request's."),
      expect_country: countryField("The country this number must be from, in place of the request's."),
    }),
  ],
  "Must be a string, or an object with number, country, and expect_country",
);
export type BatchItem = v.InferOutput<typeof batchItem>;

export const BatchRequest = bodySchema({
  numbers: described(
    v.pipe(
      v.array(batchItem, "Must be an array of numbers"),
      v.minLength(1, "Must have at least one number"),
      v.maxLength(MAX_BATCH_SIZE, `Must have at most ${MAX_BATCH_SIZE} numbers`),
    ),
    "The phone numbers, each a string, or an object with its own country and the country it must be from. Results are in the same order.",
  ),
  ...options,
});
export type BatchRequest = v.InferOutput<typeof BatchRequest>;

export const BatchResponse = v.object({
  results: described(
    v.array(v.union([VerificationResult, SandboxBatchFailure])),
    "One entry per number, in the order sent.",
  ),
});

/** A line of a stream that isn't a result. */
export const StreamFailure = v.object({
  ...problemEntries,
  line: described(
    Integer,
    "The request line, starting at 1. If the stream has ended, the first line without a response.",
  ),
  http_status: described(Integer, "The HTTP status a single call would return for this error."),
  ended: described(v.boolean(), "Whether this is the last line of the response. Otherwise only this line failed."),
  retry_after: v.optional(described(Integer, "If the stream has ended: seconds to wait before you send the rest.")),
});
export type StreamFailure = v.InferOutput<typeof StreamFailure>;

export const DashboardBatchResponse = v.object({
  results: described(v.array(VerificationResult), "One entry per number, in the order sent."),
});
