import metadata from "libphonenumber-js/max/metadata";
import { expect, test } from "vitest";
import { COUNTRY_CODES } from "../../contract/country-names.ts";
import { createCountryReader } from "./read-country.ts";

const readCountry = createCountryReader();

test.each([
  ["GB", "GB"],
  ["gb", "GB"],
  ["GBR", "GB"],
  ["gbr", "GB"],
  ["United Kingdom", "GB"],
  ["UNITED KINGDOM", "GB"],
  ["UK", "GB"],
  ["U.K.", "GB"],
  ["England", "GB"],
  ["United Kingdom (UK)", "GB"],
  ["USA", "US"],
  ["U.S.", "US"],
  ["the United States of America", "US"],
  ["Deutschland", "DE"],
  ["Germany (DE)", "DE"],
  ["Federal Republic of Germany", "DE"],
  ["Brasil", "BR"],
  ["España", "ES"],
  ["espana", "ES"],
  ["日本", "JP"],
  ["中国", "CN"],
  ["Россия", "RU"],
  ["Ελλάδα", "GR"],
  ["मिस्र", "EG"],
  ["Éire", "IE"],
  ["Suisse", "CH"],
  ["Svizzera", "CH"],
  ["Holland", "NL"],
  ["The Netherlands", "NL"],
  ["South Korea", "KR"],
  ["Korea, Republic of", "KR"],
  ["Korea, Democratic People's Republic of", "KP"],
  ["Moldova, Republic of", "MD"],
  ["Iran (Islamic Republic of)", "IR"],
  ["People’s Republic of China", "CN"],
  ["Republic of China", "TW"],
  ["Democratic Republic of the Congo", "CD"],
  ["Bosnia and Herzegovina", "BA"],
  ["Cote d'Ivoire", "CI"],
  ["St Lucia", "LC"],
  ["Hong Kong", "HK"],
  ["Türkiye", "TR"],
  ["Turkey", "TR"],
  ["Burma", "MM"],
  // In Vietnamese, Russia and Austria; Nigeria's code, and Angola's.
  ["Nga", "RU"],
  ["NGA", "NG"],
  ["Áo", "AT"],
  ["AO", "AO"],
  // Calling codes, of several countries the main one.
  ["+49", "DE"],
  ["49", "DE"],
  ["0049", "DE"],
  ["49.0", "DE"],
  ["+1", "US"],
  ["+1-246", "US"],
  ["Korea (North)", "KP"],
  ["7", "RU"],
  ["Germany (+49)", "DE"],
  ["+49 Germany", "DE"],
  ["DE +49", "DE"],
  ["DE (+49)", "DE"],
  ["(+44) UK", "GB"],
  ["Canada (+1)", "CA"],
  ["Kasachstan +7", "KZ"],
  // Everyday names, and parts.
  ["السعودية", "SA"],
  ["الإمارات", "AE"],
  ["한국", "KR"],
  ["KSA", "SA"],
  ["S. Africa", "ZA"],
  ["BRD", "DE"],
  ["D", "DE"],
  ["A", "AT"],
  ["EE. UU.", "US"],
  ["Viet Nam", "VN"],
  ["Gambia, The", "GM"],
  ["Egypt, Arab Rep.", "EG"],
  ["🇩🇪", "DE"],
  ["🇩🇪 Germany", "DE"],
  ["Germany 🇩🇪", "DE"],
  ["DE - Germany", "DE"],
  ["Germany - DE", "DE"],
  ["US | United States", "US"],
  ["DE: Deutschland", "DE"],
  ["de-DE", "DE"],
  ["en_US", "US"],
  ["zh-Hant-TW", "TW"],
  ["Guinea-Bissau", "GW"],
  ["Timor-Leste", "TL"],
  ["Congo - Kinshasa", "CD"],
  ["Berlin, Germany", "DE"],
  ["Paris, Île-de-France, France", "FR"],
])("%s is %s", (text, code) => {
  expect(readCountry(text)).toBe(code);
});

test.each([
  "",
  "999",
  "049",
  "276",
  "Germany (Hessen)",
  "DE, FR",
  "X",
  "Springfield, IL",
  "2026",
  "Untied Kingdom",
  // Two countries.
  "Congo",
  "Germany (GB)",
  // Without a numbering plan.
  "AQ",
  "Antarctica",
  "EU",
  "constructor",
  "__proto__",
])("%s is none", (text) => {
  expect(readCountry(text)).toBeNull();
});

test.each(["en", "de", "ja", "pt-BR", "zh-Hant", "ar"])("reads every name in %s", (language) => {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const read = createCountryReader([language]);
  const wrong = COUNTRY_CODES.filter((code) => read(names.of(code)!) !== code);
  expect(wrong).toStrictEqual([]);
});

test("every country by its two-letter and three-letter code", () => {
  expect(COUNTRY_CODES.filter((code) => readCountry(code) !== code)).toStrictEqual([]);
  expect(
    ["AUS", "AUT", "CHE", "CHN", "DNK", "IRL", "IRQ", "SVK", "SVN", "SWE", "UKR", "ZWE"].map(readCountry),
  ).toStrictEqual(["AU", "AT", "CH", "CN", "DK", "IE", "IQ", "SK", "SI", "SE", "UA", "ZW"]);
});

test("the reader’s language goes before others, English before it", () => {
  // Norwegian for one of the two countries of this name.
  expect(createCountryReader(["nb"])("Kongo")).toBe("CD");
  expect(createCountryReader(["bs"])("Kongo")).toBe("CG");
  expect(readCountry("Kongo")).toBeNull();
});

test("languages that aren’t any have no names", () => {
  expect(createCountryReader(["", "not a tag", "xx"])("Deutschland")).toBe("DE");
});

test("calling codes are those of the numbering plans, each with its main country", () => {
  const wrong = Object.entries(metadata.country_calling_codes).filter(
    ([code, [main]]) => /^[A-Z]/.test(main!) && readCountry(`+${code}`) !== main,
  );
  expect(wrong).toStrictEqual([]);
});
