import libphonenumber from "google-libphonenumber";
import type { NumberType } from "../../contract/result-values.ts";
import { NO_COUNTRY_REGION } from "../../worker/phone/number.ts";
import { atStart, entirely } from "../../worker/phone/plan-table.ts";
import type { FormatRule, FormatRules } from "./layouts.ts";
import { type Plan, SPECIAL_TYPES, type TypeRule } from "./plan-metadata.ts";

/** google-libphonenumber's metadata in this project's terms. Its typings omit all of this. */

interface RawDescription {
  getNationalNumberPattern(): string | null;
  possibleLengthArray(): number[];
  possibleLengthLocalOnlyArray(): number[];
}

interface RawFormat {
  getPattern(): string;
  getFormat(): string;
  leadingDigitsPatternArray(): string[];
  getNationalPrefixFormattingRule(): string | null;
}

type TypeGetter<Name extends string> = `get${Capitalize<Name>}`;
type SpecialTypeName = (typeof SPECIAL_TYPES)[number][1];

interface RawMetadata extends Record<
  TypeGetter<"fixedLine" | "mobile" | SpecialTypeName>,
  () => RawDescription | null
> {
  getCountryCode(): number;
  getGeneralDesc(): RawDescription;
  getInternationalPrefix(): string | null;
  getNationalPrefixForParsing(): string | null;
  getNationalPrefixTransformRule(): string | null;
  getLeadingDigits(): string | null;
  getSameMobileAndFixedLinePattern(): boolean | null;
  getPreferredExtnPrefix(): string | null;
  numberFormatArray(): RawFormat[];
  intlNumberFormatArray(): RawFormat[];
}

interface MetadataApi {
  getRegionCodesForCountryCode(callingCode: number): string[];
  getMetadataForRegion(region: string): RawMetadata;
  getMetadataForNonGeographicalRegion(callingCode: number): RawMetadata;
}

const api = libphonenumber.PhoneNumberUtil.getInstance() as unknown as MetadataApi;

/** Every plan behind a calling code, the main region's first; empty for an unknown one. */
export function libraryPlans(callingCode: string): readonly Plan[] {
  return metadataOf(callingCode).map(([region, metadata]) => toPlan(region, metadata));
}

/** The formats of a calling code; undefined for an unknown one. */
export function libraryFormatRules(callingCode: string): FormatRules | undefined {
  const main = metadataOf(callingCode)[0]?.[1];
  if (main === undefined) return undefined;
  const national = main.numberFormatArray();
  const international = main.intlNumberFormatArray();
  return {
    national: national.map((format) => ({
      ...toFormatRule(format),
      nationalPrefixRule: format.getNationalPrefixFormattingRule() ?? "",
    })),
    international: (international.length === 0 ? national : international).map(toFormatRule),
    extensionPrefix: main.getPreferredExtnPrefix() ?? " ext. ",
  };
}

function metadataOf(callingCode: string): [region: string, metadata: RawMetadata][] {
  return api
    .getRegionCodesForCountryCode(Number(callingCode))
    .map((region) => [
      region,
      region === NO_COUNTRY_REGION
        ? api.getMetadataForNonGeographicalRegion(Number(callingCode))
        : api.getMetadataForRegion(region),
    ]);
}

function toPlan(region: string, metadata: RawMetadata): Plan {
  const general = metadata.getGeneralDesc();
  const fixedLine = rule("fixed_line", metadata.getFixedLine());
  // Also set if the plan has neither.
  const mobileIsFixedLine = metadata.getSameMobileAndFixedLinePattern() === true && fixedLine !== null;

  function rule(type: NumberType, description: RawDescription | null): TypeRule | null {
    const pattern = description?.getNationalNumberPattern();
    const lengths = description?.possibleLengthArray() ?? [];
    // -1 means there are no numbers of the type; no lengths means the plan's lengths.
    if (!pattern || lengths[0] === -1) return null;
    return { type, pattern, lengths: lengths.length === 0 ? general.possibleLengthArray() : lengths };
  }
  return {
    region,
    callingCode: String(metadata.getCountryCode()),
    nationalNumber: entirely(general.getNationalNumberPattern()!),
    lengths: general.possibleLengthArray(),
    localOnlyLengths: general.possibleLengthLocalOnlyArray(),
    internationalPrefix: atStart(metadata.getInternationalPrefix()),
    nationalPrefix: atStart(metadata.getNationalPrefixForParsing()),
    nationalPrefixTransform: metadata.getNationalPrefixTransformRule(),
    leadingDigits: atStart(metadata.getLeadingDigits()),
    specialTypes: SPECIAL_TYPES.flatMap(([type, name]) => rule(type, metadata[getterOf(name)]()) ?? []),
    fixedLine,
    mobile: mobileIsFixedLine ? null : rule("mobile", metadata.getMobile()),
    mobileIsFixedLine,
  };
}

function toFormatRule(format: RawFormat): FormatRule {
  return {
    pattern: format.getPattern(),
    template: format.getFormat(),
    leadingDigits: format.leadingDigitsPatternArray().at(-1) ?? "",
  };
}

function getterOf<Name extends string>(name: Name): TypeGetter<Name> {
  return `get${name[0]!.toUpperCase()}${name.slice(1)}` as TypeGetter<Name>;
}
