import { readSpreadsheetDamage } from "../../contract/spreadsheet-damage.ts";
import { looksLikeDate, looksLikePhone } from "../cells.ts";

/** `192.168.0.1`. Danish numbers have four groups too, each of two digits. */
const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;
const UNEVEN_GROUP = /(?:^|\.)(?:\d|\d{3})(?:\.|$)/;
/** A leading zero means a number, such as 030.901820. */
const DECIMAL = /^-?(?:0|[1-9]\d*)[.,]\d+$/;
/** 20261126, which looksLikeDate leaves out: of a single cell, nobody knows. */
const COMPACT_DATE = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{6})?$/;
const DATE_TIME = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?:[ T,]+\d{1,2}:\d{2}.*)?$/;
/** Postal codes of the United States and Brazil. */
const POSTAL_CODE = /^\d{5}-\d{3,4}$/;
const ARTICLE_CODE = /^(?:\d{8}|\d{12,14})$/;

/** Whether the last digit of an article code (EAN, UPC, GTIN) follows from the others. */
function hasCheckDigit(code: string): boolean {
  let sum = 0;
  for (const [at, digit] of [...code].toReversed().entries()) sum += Number(digit) * (at % 2 === 0 ? 1 : 3);
  return ARTICLE_CODE.test(code) && sum % 10 === 0;
}

/** Identity and tax numbers with punctuation of their own: Brazil's CPF and CNPJ, Chile's RUT, the US's SSN. */
const FORMATTED_ID =
  /^\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$|^\d{1,2}\.\d{3}\.\d{3}-[\dkK]$|^\d{3}-\d{2}-\d{4}$/;

/** Whether the last digits of Brazil's CPF follow from the others. */
function isCpf(code: string): boolean {
  if (!/^(?!(\d)\1+$)\d{11}$/.test(code)) return false;
  return [9, 10].every((length) => {
    const parts = Array.from(code.slice(0, length), (digit, at) => Number(digit) * (length + 1 - at));
    const sum = parts.reduce((total, part) => total + part);
    return ((sum * 10) % 11) % 10 === Number(code[length]);
  });
}

/** Whether the digits of a card or a device (Luhn) have their check digit. */
function isLuhn(code: string): boolean {
  if (!/^\d{14,19}$/.test(code)) return false;
  const sum = [...code].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Each one more than the one above. */
function areSerial(texts: readonly string[]): boolean {
  return (
    texts.length > 2 &&
    texts.every((text, at) => /^\d+$/.test(text) && (at === 0 || Number(text) - Number(texts[at - 1]) === 1))
  );
}

/** Whether a column's nonempty cells are something else that looks like numbers: addresses, codes, decimals, dates. */
export function isOtherData(texts: readonly string[]): boolean {
  const all = (pattern: RegExp) => texts.every((text) => pattern.test(text));
  return (
    (all(ADDRESS) && texts.some((text) => UNEVEN_GROUP.test(text))) ||
    [hasCheckDigit, isCpf, isLuhn].some((check) => texts.filter(check).length >= texts.length * 0.9) ||
    // What damaged numbers look like too.
    (all(DECIMAL) && !texts.every((text) => readSpreadsheetDamage(text) !== null)) ||
    texts.every((text) => looksLikeDate(text) || COMPACT_DATE.test(text) || DATE_TIME.test(text)) ||
    all(POSTAL_CODE) ||
    all(FORMATTED_ID) ||
    areSerial(texts)
  );
}

/** How sure it is that a text is a phone number: 3 as written for a call from abroad, 1 for a few digits. */
function certaintyOf(text: string): number {
  if (/^(?:tel:|[+＋(]|00)/i.test(text)) return 3;
  if (/^\p{Nd}{6,8}$/u.test(text)) return 1;
  // Identifiers rarely have groups.
  if (/^\p{Nd}{2,5}[\s-]\p{Nd}{3,5}/u.test(text)) return 2.5;
  // A number of ten digits begins with 2 to 9 in North America, a mobile one in India with 6 to 9.
  if (/^[6-9]\p{Nd}{9}$/u.test(text)) return 2.3;
  return /^[2-5]\p{Nd}{9}$/u.test(text) ? 2.2 : 2;
}

/** As dialed within a country. Of identifiers, not all begin with a zero. */
const NATIONAL = /^0\p{Nd}{8,10}$/u;

/** Whether all are, or would be if a spreadsheet hadn't taken the zero of some: those are a digit shorter. */
function areNational(texts: readonly string[]): boolean {
  const whole = texts.map((text) => (text.startsWith("0") ? text : `0${text}`));
  const kept = texts.filter((text) => text.startsWith("0")).length;
  const isOneLength = whole.every(({ length }) => length === whole[0]!.length);
  return whole.every((text) => NATIONAL.test(text)) && (kept === texts.length || (kept > 0 && isOneLength));
}

/** How many of the texts are phone numbers, and how sure that is on average, in tenths. */
export function phonesIn(texts: readonly string[]): { count: number; certainty: number } {
  const phones = texts.filter((text) => looksLikePhone(text) || readSpreadsheetDamage(text) !== null);
  if (phones.length === 0) return { count: 0, certainty: 0 };
  if (areNational(phones)) return { count: phones.length, certainty: 2.5 };
  const certainty = phones.reduce((sum, text) => sum + certaintyOf(text), 0) / phones.length;
  return { count: phones.length, certainty: Math.round(certainty * 10) / 10 };
}

/** How many of the texts may have a number, perhaps among words or with another: six digits that are no date. */
export function mayHaveNumber(texts: readonly string[]): number {
  return texts.filter((text) => (text.match(/\p{Nd}/gu)?.length ?? 0) >= 6 && !looksLikeDate(text)).length;
}
