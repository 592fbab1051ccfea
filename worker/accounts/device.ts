import type { Device } from "../io.ts";
import { countryName } from "../../contract/country-names.ts";

/** The first match wins: most user agents also name the browsers they descend from. */
const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\b(?:OPR|OPT|Opera)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/.*\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMacintosh\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** Longest user agent we parse, in characters. Real browsers send far shorter ones. */
const MAX_LENGTH = 512;

/**
 * The browser and system of a User-Agent header in our own words, such as "Chrome on Windows". Never repeats header
 * text.
 */
export function browserName(userAgent: string | undefined): string {
  const text = (userAgent ?? "").slice(0, MAX_LENGTH);
  const nameIn = (names: typeof BROWSERS) => names.find(([, mark]) => mark.test(text))?.[0];
  const browser = nameIn(BROWSERS) ?? "Unknown browser";
  const system = nameIn(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** A device in words, such as "Firefox on Linux, Germany". A country without a numbering plan has only its code. */
export function deviceName({ browser, country }: Device): string {
  return country === null ? browser : `${browser}, ${countryName(country) ?? country}`;
}
