import type { DeliverabilityFlag } from "../../../contract/result-values.ts";
import type { VerificationResult } from "../../../contract/verification.ts";
import type { ShortNumber } from "../short-numbers.ts";
import type { NumberRead } from "./read-number.ts";

/** What is done to a text, or said of it, in the order of the rules. */
export type RuleName =
  | "plain"
  | "wrapper"
  | "spreadsheet"
  | "not a phone number"
  | "masked"
  | "extension"
  | "counter"
  | "vanity"
  | "note"
  | "short code"
  | "several"
  | "letters"
  | "word's x"
  | "own calling code"
  | "joined";

/** A text on its way through the rules. */
export interface State {
  readonly text: string;
  readonly extension: string | null;
  /** What was changed to read the number. */
  readonly flags: readonly DeliverabilityFlag[];
}

/** What a text says. */
export interface TextRead {
  readonly found: NumberRead;
  readonly flags: readonly DeliverabilityFlag[];
  /** The numbers of a text with several, in E.164. */
  readonly candidates: readonly string[];
  readonly shortCode: ShortNumber | null;
  readonly suggestion: VerificationResult["suggestion"];
}

/** Nothing but a number. */
export const NO_EXTRAS = { flags: [], candidates: [], shortCode: null, suggestion: null } as const;

/** What a text says, and why. */
export interface Reading extends TextRead {
  /** The rules that changed the text, in order, and the one that decided: "plain" or "joined" for one number. */
  readonly rules: readonly RuleName[];
  /** What the last rule read. */
  readonly text: string;
}

export type Decision = Pick<Reading, "found"> & Partial<Reading>;

/** A part as one number. */
export interface PartRead extends NumberRead {
  /** The rule that read it otherwise than the grammar. */
  readonly rule?: RuleName;
  /** Whether it was international in all but its plus sign. */
  readonly lacksPlus?: boolean;
}

/** What the rules know besides the text. */
export interface Context {
  readonly country: string | undefined;
  /** The calling code of the text, or else of the country. */
  readonly callingCode: string | undefined;
  /** A text as one number, each only once. */
  read(text: string): PartRead;
  isValid(text: string): boolean;
  /** The country's trunk prefix before these digits; empty if there is none, or if nothing follows. */
  trunkPrefix(digits: string): string;
  /** The same with another country. */
  in(country: string | undefined): Context;
}

/** What may stand between two numbers. */
export type Separator = "list" | "slash" | "dash" | "hyphen" | "wave";

/** Digits with the signs that belong to them, and what stands before. */
export interface Group {
  readonly gap: string;
  /** What the gap may separate; null if it only groups a number's digits. */
  readonly separator: Separator | null;
  readonly text: string;
}

/** The digits of a text without those that letters stand for on a keypad: beside a number, words are an address or a name. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}
