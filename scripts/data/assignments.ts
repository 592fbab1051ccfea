import type { NumberType } from "../../contract/result-values.ts";
import { packAssignment } from "../../worker/phone/plan-table.ts";
import { patternOf, type Plan, type TypeRule } from "./plan-metadata.ts";
import type { Outcome } from "./automaton.ts";
import type { typeCorrections } from "./corrections.ts";
import { accepting, acceptingForGood, alternatives, reading, type State } from "./pattern.ts";

/** A pattern, fully matched if and only if `read` returns true. */
interface Matcher {
  readonly start: readonly State[];
  read(states: ReadonlySet<State>): boolean;
}

/** One region's patterns. */
interface PlanMatcher {
  readonly start: readonly State[];
  /** Whether leading digits identify this region, whatever follows; null if the plan has none. */
  readonly isNamed: ((states: ReadonlySet<State>) => boolean) | null;
  fitsPlan(states: ReadonlySet<State>): boolean;
  typeIn(states: ReadonlySet<State>, length: number): NumberType;
}

/**
 * The start and outcomes of a calling code's assignment automaton: libphonenumber's getRegionCodeForNumber and
 * getNumberType over the plans that share the code, the main one first, and whether a parser leaves the number
 * unchanged. Added plans are numbered after the others but take precedence. Corrections replace the type of numbers with
 * these leading digits.
 */
export function assignmentAutomaton(
  plans: readonly Plan[],
  added: readonly Plan[],
  corrections: ReturnType<typeof typeCorrections>,
): { start: readonly State[]; outcome: Outcome } {
  const readings = [...plans, ...added].map(readPlan);
  const entries = [...readings.entries()];
  const inOrder = [...entries.slice(plans.length), ...entries.slice(0, plans.length)];
  const prefix = readPrefix(plans[0]!);
  const corrected = corrections.map((correction) => ({ ...correction, ...readStart(correction.leadingDigits) }));

  function assigned(states: ReadonlySet<State>, length: number): { region: number; type: NumberType } {
    if (readings.length === 1) return { region: 1, type: readings[0]!.typeIn(states, length) };
    for (const [index, { isNamed, typeIn }] of inOrder) {
      if (isNamed !== null && !isNamed(states)) continue;
      const type = typeIn(states, length);
      // Leading digits identify the region even when none of its ranges match.
      if (isNamed !== null || type !== "unknown") return { region: index + 1, type };
    }
    return { region: 0, type: "unknown" };
  }

  return {
    start: [...readings, prefix, ...corrected].flatMap(({ start }) => start),
    outcome(states, length) {
      const { region, type } = assigned(states, length);
      const correction = corrected.find(({ google, read }) => google === type && read(states));
      return packAssignment(region, correction?.ours ?? type, !prefix.mayChange(states, readings[0]!.fitsPlan(states)));
    },
  };
}

function readPlan(plan: Plan): PlanMatcher {
  const whole = readWhole(patternOf(plan.nationalNumber));
  const leading = plan.leadingDigits === null ? null : readStart(patternOf(plan.leadingDigits));
  const typed = (rule: TypeRule) => ({ ...rule, ...readWhole(rule.pattern) });
  const specialTypes = plan.specialTypes.map(typed);
  const fixedLine = plan.fixedLine && typed(plan.fixedLine);
  const mobile = plan.mobile && typed(plan.mobile);

  function typeIn(states: ReadonlySet<State>, length: number): NumberType {
    const fits = (rule: (TypeRule & Matcher) | null) =>
      rule !== null && rule.lengths.includes(length) && rule.read(states);
    if (!plan.lengths.includes(length) || !whole.read(states)) return "unknown";
    const special = specialTypes.find(fits);
    if (special !== undefined) return special.type;
    const isMobile = fits(mobile);
    if (fits(fixedLine)) return plan.mobileIsFixedLine || isMobile ? "fixed_line_or_mobile" : "fixed_line";
    return isMobile ? "mobile" : "unknown";
  }

  const all = [whole, ...specialTypes, ...(fixedLine ? [fixedLine] : []), ...(mobile ? [mobile] : [])];
  return {
    start: [...all, ...(leading ? [leading] : [])].flatMap(({ start }) => start),
    isNamed: leading && leading.read,
    fitsPlan: whole.read,
    typeIn,
  };
}

/**
 * Whether the parser's stripNationalPrefix may change a number, however the prefix may match: it may if there is a
 * prefix, unless the number fits the plan and the rest without the prefix does not. If the plan rewrites prefixes,
 * having one is enough.
 */
function readPrefix(plan: Plan) {
  const pattern = plan.nationalPrefix === null ? [] : alternatives(patternOf(plan.nationalPrefix));
  const wholeOnly = pattern.filter((part) => part.endsWith("$")).map((part) => readWhole(part.slice(0, -1)));
  const atStart = pattern.filter((part) => !part.endsWith("$")).join("|");
  const present = readStart(atStart);
  const rest = readWhole(patternOf(plan.nationalNumber));
  const withRest =
    pattern.length === 0 ? [] : reading(atStart, rest.start).filter((state) => !rest.start.includes(state));
  return {
    start: [...wholeOnly.flatMap(({ start }) => start), ...present.start, ...withRest],
    mayChange(states: ReadonlySet<State>, fitsPlan: boolean): boolean {
      if (!present.read(states) && !wholeOnly.some(({ read }) => read(states))) return false;
      return plan.nationalPrefixTransform !== null || !fitsPlan || rest.read(states);
    },
  };
}

function readWhole(pattern: string): Matcher {
  const end = accepting();
  return { start: reading(pattern, [end]), read: (states) => states.has(end) };
}

/** The empty prefix doesn't count. */
function readStart(pattern: string): Matcher {
  const end = acceptingForGood();
  return { start: reading(pattern, [end]).filter((state) => state !== end), read: (states) => states.has(end) };
}
