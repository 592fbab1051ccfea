import type { NumberType } from "../../contract/result-values.ts";
import { NO_COUNTRY_REGION } from "../../worker/phone/number.ts";
import { atStart, entirely } from "../../worker/phone/plan-table.ts";
import { type Plan, SPECIAL_TYPES, type TypeRule } from "./plan-metadata.ts";
import type { FormatRules } from "./layouts.ts";
import type { PlanSource } from "./plan-table.ts";
import { childOf, childrenOf, lengthsOf, patternIn, patternOf, territoriesIn, type XmlElement } from "./xml.ts";

const TYPES = ["fixedLine", "mobile", ...SPECIAL_TYPES.map(([, name]) => name)];

/** Google's PhoneNumberMetadata.xml, parsed like Google's BuildMetadataFromXml. */
export function googlePlans(metadata: XmlElement): PlanSource {
  // The main region of a calling code comes first, then the others in file order.
  const territories = territoriesIn(metadata).toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));
  // Integer keys, so in ascending order.
  const byCallingCode = Object.groupBy(territories, ({ attributes }) => attributes["countryCode"]!);
  return {
    callingCodes: () => Object.keys(byCallingCode),
    plansOfCallingCode: (callingCode) => byCallingCode[callingCode]!.map(toPlan),
    formatRulesOf: (callingCode) => toFormatRules(byCallingCode[callingCode]![0]!),
  };
}

/** Countries where numbers can move between mobile carriers. */
export function portableRegions(metadata: XmlElement): string[] {
  return territoriesIn(metadata)
    .filter(({ attributes }) => attributes["mobileNumberPortableRegion"] === "true")
    .map(({ attributes }) => attributes["id"]!);
}

function isMain({ attributes }: XmlElement): boolean {
  return attributes["mainCountryForCode"] === "true";
}

function toPlan(territory: XmlElement): Plan {
  const { attributes } = territory;
  const ofTypes = TYPES.flatMap((name) => childrenOf(territory, name)).map(lengthsOf);
  const lengths = inOrder(ofTypes.flatMap(({ national }) => national));
  const localOnlyLengths = inOrder(ofTypes.flatMap(({ localOnly }) => localOnly)).filter(
    (length) => !lengths.includes(length),
  );
  const rule = (type: NumberType, name: string): TypeRule | null => {
    const description = childOf(territory, name);
    if (description === undefined) return null;
    return { type, pattern: patternIn(description), lengths: lengthsOf(description).national };
  };
  const fixedLine = rule("fixed_line", "fixedLine");
  const mobile = rule("mobile", "mobile");
  const mobileIsFixedLine = fixedLine !== null && fixedLine.pattern === mobile?.pattern;
  const id = attributes["id"]!;
  return {
    region: id === "001" ? NO_COUNTRY_REGION : id,
    callingCode: attributes["countryCode"]!,
    nationalNumber: entirely(patternIn(childOf(territory, "generalDesc")!)),
    lengths,
    localOnlyLengths,
    internationalPrefix: prefixOf(attributes["internationalPrefix"]),
    nationalPrefix: prefixOf(attributes["nationalPrefixForParsing"] ?? attributes["nationalPrefix"]),
    nationalPrefixTransform: attributes["nationalPrefixTransformRule"] ?? null,
    leadingDigits: prefixOf(attributes["leadingDigits"]),
    specialTypes: SPECIAL_TYPES.flatMap(([type, name]) => rule(type, name) ?? []),
    fixedLine,
    mobile: mobileIsFixedLine ? null : mobile,
    mobileIsFixedLine,
  };
}

/** `format` and `intlFormat` keep their spaces. Formats are national; all except "NA" are also international. */
function toFormatRules(territory: XmlElement): FormatRules {
  const { attributes } = territory;
  const available = childOf(territory, "availableFormats");
  const formats = available === undefined ? [] : childrenOf(available, "numberFormat");
  const rules = formats.map((format) => {
    const prefixRule =
      format.attributes["nationalPrefixFormattingRule"] ?? attributes["nationalPrefixFormattingRule"] ?? "";
    return {
      pattern: format.attributes["pattern"]!,
      template: childOf(format, "format")!.text,
      leadingDigits: patternOf(childrenOf(format, "leadingDigits").at(-1)?.text ?? ""),
      nationalPrefixRule: prefixRule.replace("$NP", attributes["nationalPrefix"] ?? "").replace("$FG", "$1"),
    };
  });
  return {
    national: rules,
    international: rules.flatMap(({ pattern, template, leadingDigits }, place) => {
      const international = childOf(formats[place]!, "intlFormat")?.text ?? template;
      return international === "NA" ? [] : [{ pattern, template: international, leadingDigits }];
    }),
    extensionPrefix: attributes["preferredExtnPrefix"] ?? " ext. ",
  };
}

function inOrder(lengths: readonly number[]): number[] {
  return [...new Set(lengths)].toSorted((a, b) => a - b);
}

function prefixOf(pattern: string | undefined): RegExp | null {
  return pattern === undefined ? null : atStart(patternOf(pattern));
}
