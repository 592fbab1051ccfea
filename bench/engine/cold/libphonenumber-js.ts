import { parsePhoneNumber } from "libphonenumber-js/max";

export function answer(e164: string): string {
  const number = parsePhoneNumber(e164);
  const facts = [number.isValid(), number.getType(), number.country];
  return JSON.stringify([...facts, number.formatNational(), number.formatInternational()]);
}
