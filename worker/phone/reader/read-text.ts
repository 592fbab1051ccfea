import type { PlanTable, DialingPlan } from "../plan-table.ts";
import { withOwnCallingCode } from "./own-calling-code.ts";
import { notANumber, readNumber } from "./read-number.ts";
import { type Context, NO_EXTRAS, type PartRead, type Reading, type RuleName, type State } from "./reading.ts";
import { RULES } from "./rules.ts";
import { mayBeAnother, suggest } from "./suggest.ts";
import { unwrap } from "./unwrap.ts";

/** Digits, spaces, dots, brackets, and hyphens alone. */
const PLAIN = /^(?:[ (]*\+)?[\d ().-]*$/;
/** What is evidence for a rule even among these. */
const NOT_PLAIN = new RegExp(RULES.flatMap(({ amongDigits }) => amongDigits?.source ?? []).join("|"));

/** The x of a word, such as Fax, starts no extension. */
const WORD_IN_X = /\p{L}{2}x[ .:]*\d{1,9}#?$/iu;

/** Rules that need to read more of a text don't hold. */
const MAX_READS = 24;

/** A line as the grammar reads it, with its own calling code. */
function readLine(
  line: string,
  country: string | undefined,
  home: DialingPlan | undefined,
  plans: PlanTable,
): PartRead {
  const found = readNumber(line, country, plans);
  const own = home && withOwnCallingCode(line, found, home, plans);
  return own ? { ...own, rule: "own calling code" } : found;
}

function isWordsX(line: string): boolean {
  const word = WORD_IN_X.exec(line);
  return word !== null && /\d/.test(line.slice(0, word.index));
}

function contextOf(text: string, country: string | undefined, plans: PlanTable): Context {
  const home = country === undefined ? undefined : plans.dialingIn(country);
  const reads = new Map<string, PartRead>();
  const [, digits = ""] = /^[^\d+]*\+[ (]*(\d{1,3})/.exec(text) ?? [];
  const context: Context = {
    country,
    callingCode: plans.planOf(digits)?.callingCode ?? home?.callingCode,
    read(part) {
      const known = reads.get(part);
      if (known !== undefined) return known;
      if (reads.size >= MAX_READS) return notANumber("NOT_A_NUMBER");
      const line = part.replaceAll("\n", " ");
      const found: PartRead = isWordsX(line)
        ? { ...notANumber("NOT_A_NUMBER"), rule: "word's x" }
        : readLine(line, country, home, plans);
      reads.set(part, found);
      return found;
    },
    isValid: (part) => context.read(part).classification.valid,
    in: (other) => contextOf(text, other, plans),
    trunkPrefix(dialed) {
      const prefix = home?.nationalPrefix?.exec(dialed)?.[0] ?? "";
      // Some countries' rule for it also matches whole local numbers.
      return prefix.length < dialed.length ? prefix : "";
    },
  };
  return context;
}

/** Reads a text. `country` as in `parseDialed`. Never throws. */
export function readText(input: string, country: string | undefined, plans: PlanTable): Reading {
  const reading = decide(input, country, plans);
  const { text, found, rules } = reading;
  const decided = rules.at(-1);
  if (decided !== "plain" && decided !== "joined") return reading;
  const { number, classification } = found;
  if (classification.valid && !mayBeAnother(text, number!)) return reading;
  return { ...reading, suggestion: suggest({ input: text, country, number }, plans) };
}

function decide(input: string, country: string | undefined, plans: PlanTable): Reading {
  const text = PLAIN.test(input) ? input : unwrap(input);
  const rules: RuleName[] = text.trim() === input.trim() ? [] : ["wrapper"];
  if (PLAIN.test(text) && !NOT_PLAIN.test(text)) {
    const home = country === undefined ? undefined : plans.dialingIn(country);
    const found = readLine(text, country, home, plans);
    if (found.classification.valid && found.rule === undefined) {
      return { ...NO_EXTRAS, rules: [...rules, "plain"], found, text };
    }
  }
  return applyRules({ text, extension: null, flags: [] }, rules, contextOf(text, country, plans));
}

function applyRules(start: State, rules: RuleName[], context: Context): Reading {
  let state = start;
  for (const { name, apply } of RULES) {
    const outcome = apply?.(state, context) ?? null;
    if (outcome === null) continue;
    if ("found" in outcome) {
      const { rule }: PartRead = outcome.found;
      if (rule !== undefined) rules.push(rule);
      return { ...NO_EXTRAS, text: state.text, flags: state.flags, ...outcome, rules: [...rules, name] };
    }
    rules.push(name);
    state = outcome.next;
  }
  throw new Error("The last rule decides");
}
