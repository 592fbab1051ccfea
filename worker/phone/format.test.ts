import { describe, expect, test } from "vitest";
import { formatInternational, formatNational } from "../../test/engine.ts";
import { formatE164 } from "./format.ts";
import { googleFormats } from "../../test/google-oracle.ts";
import type { PhoneNumber } from "./number.ts";

function number(callingCode: string, nationalNumber: string, extension: string | null = null): PhoneNumber {
  return { callingCode, nationalNumber, extension };
}

describe("formats", () => {
  test.each([
    ["US", "1", "2025550123", "(202) 555-0123", "+1 202 555 0123"],
    ["BR", "55", "11987654321", "(11) 98765-4321", "+55 11 98765 4321"],
    ["GB", "44", "2079460018", "020 7946 0018", "+44 20 7946 0018"],
    ["DE", "49", "30123456", "030 123456", "+49 30 123456"],
    ["FR", "33", "123456789", "01 23 45 67 89", "+33 1 23 45 67 89"],
    ["RU", "7", "8005553535", "8 (800) 555-35-35", "+7 800 555 35 35"],
    ["JP", "81", "312345678", "03-1234-5678", "+81 3 1234 5678"],
    ["HU", "36", "12345678", "(06 1) 234 5678", "+36 1 234 5678"],
    // The leading zero of an Italian fixed line is part of the number.
    ["IT", "39", "0236618300", "02 3661 8300", "+39 02 3661 8300"],
    // The mobile 9 is used abroad; domestically it becomes a 15 after the area code.
    ["AR", "54", "91123456789", "011 15-2345-6789", "+54 9 11 2345 6789"],
    // Numbers of a shared calling code are formatted as in its main region.
    ["CA", "1", "6135550123", "(613) 555-0123", "+1 613 555 0123"],
    ["no country", "800", "12345678", "1234 5678", "+800 1234 5678"],
  ])("%s: +%s %s is %s and %s", (_region, callingCode, nationalNumber, national, international) => {
    expect(formatNational(number(callingCode, nationalNumber))).toBe(national);
    expect(formatInternational(number(callingCode, nationalNumber))).toBe(international);
    expect(formatE164(number(callingCode, nationalNumber))).toBe(`+${callingCode}${nationalNumber}`);
  });

  // libphonenumber-js returns the digits of each of these unformatted.
  test.each([
    ["CN", "86", "16812345", "1681 2345"],
    ["HN", "504", "80021234567", "800 2123 4567"],
    ["NP", "977", "16600101234", "1660-01-01234"],
    ["TR", "90", "4441444", "444 1 444"],
    ["NL", "31", "14020", "14 020"],
    ["VN", "84", "1992000", "0199 2000"],
    ["SK", "421", "9090123", "09090 123"],
  ])("%s: +%s %s, dialed only within the country, is %s", (_region, callingCode, nationalNumber, national) => {
    expect(formatNational(number(callingCode, nationalNumber))).toBe(national);
    expect(formatInternational(number(callingCode, nationalNumber))).toBe(`+${callingCode} ${nationalNumber}`);
  });

  test.each([
    ["US", "1", "2025550123", "(202) 555-0123 ext. 0045", "+1 202 555 0123 ext. 0045"],
    ["GB", "44", "2079460018", "020 7946 0018 x0045", "+44 20 7946 0018 x0045"],
    ["JE", "44", "1534456789", "01534 456789 x0045", "+44 1534 456789 x0045"],
    ["GG", "44", "7781123456", "07781 123456 x0045", "+44 7781 123456 x0045"],
    ["IM", "44", "1624756789", "01624 756789 x0045", "+44 1624 756789 x0045"],
    ["PE", "51", "11234567", "(01) 1234567 Anexo 0045", "+51 1 1234567 Anexo 0045"],
    ["TW", "886", "221234567", "02 2123 4567#0045", "+886 2 2123 4567#0045"],
    ["UY", "598", "21231234", "2123 1234 int. 0045", "+598 2123 1234 int. 0045"],
  ])("%s: an extension has the country's prefix", (_region, callingCode, digits, national, intl) => {
    const withExtension = number(callingCode, digits, "0045");
    expect(googleFormats(withExtension).national).toBe(national);
    expect(formatNational(withExtension)).toBe(national);
    expect(formatInternational(withExtension)).toBe(intl);
    expect(formatE164(withExtension)).toBe(`+${callingCode}${digits}`);
  });

  test("a number that fits no format isn't grouped", () => {
    expect(formatNational(number("1", "123"))).toBe("123");
    expect(formatInternational(number("1", "123"))).toBe("+1 123");
    expect(formatInternational(number("999", "12345"))).toBe("+999 12345");
  });
});
