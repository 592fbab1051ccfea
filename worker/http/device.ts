import { countryName } from "../phone/countries.ts";
import type { RequestContext } from "./context.ts";
import { placeOf } from "./requests.ts";

/** In this order: most browsers also name those that they descend from. */
const BROWSERS = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
  ["curl", /^curl\//],
] as const;

const SYSTEMS = [
  ["iOS", /\b(iPhone|iPad)\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
] as const;

function nameIn(names: readonly (readonly [string, RegExp])[], text: string): string | undefined {
  return names.find(([, form]) => form.test(text))?.[0];
}

/** What a request was sent with and from where, in words: "Firefox on Linux, Germany". Null when nothing of it is known. */
export function deviceOf(c: RequestContext): string | null {
  const agent = c.req.header("User-Agent") ?? "";
  const program = [nameIn(BROWSERS, agent), nameIn(SYSTEMS, agent)].filter((name) => name !== undefined).join(" on ");
  const parts = [program, countryName(placeOf(c).country ?? null) ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join(", ");
}
