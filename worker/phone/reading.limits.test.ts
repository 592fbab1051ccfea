import { expect, test } from "vitest";
import { plans } from "../../test/engine.ts";
import { readText } from "./reader/read-text.ts";
import type { RuleName } from "./reader/reading.ts";

/** Texts on both sides of each limit in a rule: the rule applies to the first, and not to the second. */
test.each<[rule: RuleName, country: string, applies: string, ends: string, limit: string]>([
  ["several", "DE", "12345; 030 901820", "1234; 030 901820", "five digits of a first number"],
  ["several", "DE", "0171 12345678; +49 30 1234", "0171 12345678; +49 30 123", "eight digits after a plus sign"],
  ["several", "DE", "030 901820; 030 123", "030 901820; 030 12", "six digits with the trunk prefix"],
  [
    "several",
    "DE",
    "030 901820; 0301234567",
    "030 901820; 01234567890123456",
    "a possible length after the trunk prefix",
  ],
  [
    "several",
    "DE",
    "030 901820; +4930123456",
    "030 901820; +493012345678901234",
    "a possible length after a plus sign",
  ],
  ["several", "IS", "5512345; 551236", "5512345; 55126", "six digits of a subscriber number"],
  ["several", "DE", "030 901820; 12345678", "030 901820; 1234567", "one digit fewer than the first"],
  ["several", "DE", "030 901820; 1234567890", "030 901820; 12345678901", "one digit more than the first"],
  ["several", "DE", "040 123456/76", "040 123456/77", "an end that is higher by twenty"],
  ["several", "DE", "040 123456/57", "040 123456/56", "an end that is higher"],
  ["several", "DE", "040 123456/57", "040 123456/457", "an end of two digits"],
  ["several", "BR", "(11) 98765-4321/4322", "(11) 98765-4321/54322", "an end as long as the last groups"],
  ["several", "BR", "(11) 98765-4321/4322", "(11) 98765-4321 or 4322", "an end of four digits after a slash"],
  ["several", "BR", "(11) 98765-4321 / 98765-4322", "(11) 98765-4321 / 18765-4322", "a second number that is valid"],
  ["several", "DE", "030 90182-0 / -1234", "030 90182-0 / -12345", "four digits of another direct dial"],
  ["several", "DE", "030 90182-0 / -12", "030 90182 -0-12", "a separator before a direct dial's hyphen"],
  ["extension", "US", "212-736-5000 x4/123456", "212-736-5000 x4/1234567", "six digits of another extension"],
  ["several", "DE", "040 123456 / 57", "040 123456 - 57", "a slash, not a hyphen"],
  [
    "several",
    "FR",
    "01 42 68 53 00, 01 42 68 53 01",
    "01 42 68 53 00, 75008 Paris",
    "digits, not the letters of words",
  ],
  ["several", "GG", "01481 256789, 01481 256790", "01481/256789", "a trunk prefix, not a whole local number"],
  ["several", "ES", "+34612345678+34612345679", "+34612345678+346", "a second plus sign"],
  ["several", "FR", "0612345678 & 0687654321", "0612345678 & 06", "an ampersand"],
  ["masked", "GB", "020 7946 00XX", "020 7946 00X", "two mask characters"],
  ["masked", "GB", "XXX 7946 0018", "XX 7946 0018", "three mask characters before the digits"],
  ["masked", "GB", "020 7946 ...", "020 7946 ..", "an ellipsis"],
  ["masked", "BR", "(0xxx11) 98765-4321", "(0xx11) 98765-4321", "Brazil's xx for any carrier"],
  ["letters", "GB", "079EE 900123", "079EEE 900123", "two letters"],
  ["letters", "GB", "079OOO OO1234", "079OOD OO1234", "only letters that look like digits"],
  ["letters", "DE", "6OO OOO", "6OO OO", "six digits and letters that look like some"],
  ["letters", "DE", "030 901820 Haus 3", "030 Haus 3", "a number that is complete before the word"],
  ["letters", "DE", "030 901820 Haus 3", "030 901820 Haus", "digits after the word"],
  ["letters", "DE", "030 1E2E3", "030 1E2E", "six digits"],
  ["letters", "DE", "030 1234567O", "030 1234567 O", "a last letter that touches a digit"],
  ["letters", "DE", "030 1234567O", "030 1234567Ost", "a last letter, not a word"],
  ["spreadsheet", "DE", "1234567.0", "123456.0", "seven digits"],
  ["spreadsheet", "DE", "123456789012345.0", "1234567890123456.0", "fifteen digits"],
  ["spreadsheet", "DE", "4.9301E10", "4.9301E100", "two digits of an exponent"],
  ["extension", "DE", "030 901820 App. Nr. 123456789", "030 901820 App. Nr. 1234567890", "nine digits"],
  ["extension", "DE", "030 901820 App. 12", "030 App. 12", "a number that is valid without it"],
  ["wrapper", "DE", "callto:+49%2030%20901820", "callme:+4930901820", "the links of phones"],
  ["wrapper", "DE", "whatsapp:+49%2030%20901820", "skype:+4930901820", "the links of WhatsApp"],
  ["wrapper", "DE", "https://wa.me/4930901820", "https://wa.me/49309", "six digits of a chat's link"],
  ["wrapper", "DE", "sms:+49%2030%20901820", "mms:+4930901820", "the links of text messages"],
  ["wrapper", "DE", "4930901820@c.us", "493090@c.us", "seven digits of a contact"],
  ["wrapper", "DE", "493090182012345@c.us", "4930901820123456@c.us", "fifteen digits of a contact"],
  ["not a phone number", "DE", "1;".repeat(25), "1;".repeat(24), "48 tokens"],
  ["not a phone number", "DE", "01.01.1901", "01.01.1900", "the year 1901"],
  ["not a phone number", "DE", "31.12.2099", "31.12.2100", "the year 2099"],
  ["not a phone number", "DE", "28.02.2015", "30.02.2015", "a day of the calendar"],
  ["not a phone number", "SE", "2015-03-16T10:30:00Z", "2015-03-16-10", "a time after a date"],
  ["counter", "DE", "99) 030 901820", "100) 030 901820", "two digits of a counter"],
  ["counter", "DE", "(9) 030 901820", "(19) 030 901820", "one digit in brackets"],
  ["note", "AT", "01 58801 Mo-Fr 8-24", "01 58801 Mo-Fr 8-25", "24 hours"],
  ["note", "DE", "030 901820 (Max 12345)", "030 901820 (Max 123456)", "five digits in a note"],
  ["extension", "CN", "010-65529988-801234", "010-65529988-8012345", "six digits of a Chinese extension"],
  ["several", "IN", "022-24921234, 24921235", "022-24921234, 249212351", "eight digits of a subscriber number"],
  ["several", "KR", "02-312-3456~7", "02-312-3456~77", "a range of twenty"],
  ["several", "GR", "210 1234567-8", "210 1234567-123", "two digits after a hyphen"],
  ["own calling code", "ID", "62811699778", "6281169977", "eleven digits with the calling code"],
])("%s (%s): %j, and not %j: %s", (rule, country, applies, ends) => {
  expect(readText(applies, country, plans).rules).toContain(rule);
  expect(readText(ends, country, plans).rules).not.toContain(rule);
});

test("several numbers are at most five candidates", () => {
  const numbers = [10, 11, 12, 13, 14, 15].map((end) => `+4420794600${end}`);
  expect(readText(numbers.slice(0, 5).join(";"), undefined, plans).candidates).toEqual(numbers.slice(0, 5));
  expect(readText(numbers.join(";"), undefined, plans).candidates).toEqual(numbers.slice(0, 5));
});
