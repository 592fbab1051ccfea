import { parsePhoneNumber } from "awesome-phonenumber";

export function answer(e164: string): string {
  const { valid, type, regionCode, number } = parsePhoneNumber(e164);
  return JSON.stringify([valid, type, regionCode, number?.national, number?.international]);
}
