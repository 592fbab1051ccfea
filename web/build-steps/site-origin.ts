import { ORIGIN } from "../../contract/origin.ts";

/**
 * The origin that canonical links, social cards and the sitemap name: `PUBLIC_ORIGIN`, as the worker calls it, else the constant.
 * @throws Error when the variable is anything but an origin; a path or a slash at its end would end up in every address.
 */
export function siteOrigin(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const origin = env["PUBLIC_ORIGIN"] || ORIGIN;
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new Error(`PUBLIC_ORIGIN must be an origin such as https://example.com, not ${JSON.stringify(origin)}.`);
  }
  return origin;
}
