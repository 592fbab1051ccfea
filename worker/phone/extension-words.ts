/**
 * Words for "extension" that libphonenumber doesn't know, and pauses. Each stands before the extension's digits:
 * `+49 30 1234 App. 56`.
 */
const WORDS = [
  // English
  "extension|option|opt|press",
  // German
  "app(?:arat)?|durchwahl|dw|klappe|kl|nebenstelle|nst|intern",
  // French, Portuguese, Spanish, Italian
  "poste|p|ramal|r|extensão|anexo|interno|int",
  // Dutch, Polish, Czech and Slovak, Hungarian, Romanian
  "toestel|tst|binnenlijn|lok|wewn(?:ętrzny)?|wew|linka|klapka|mellék|interior",
  // Swedish, Danish and Norwegian, Finnish, Turkish, Vietnamese
  "anknytning|ankn|lokal|linje|ekst|alanumero|alanro|dahili|máy lẻ",
  // Russian and Ukrainian, Greek
  "доб(?:авочный|авочний)?|внутр(?:енний|ішній)?|вн|εσωτ(?:ερικό)?",
  // Hebrew, Arabic, Thai
  "שלוחה|تحويلة|ต่อ",
  // Chinese, Japanese, Korean
  "分机|分機|转|轉|内線|内线|内線番号|내선",
  // Pauses: p and w
  "w",
].join("|");

const AT_END = new RegExp(
  `(?:(?<!\\p{L})(?:${WORDS})(?!\\p{L})|\\*)[ .:#-]*(?:n[ro]\\.? ?)?(\\d{1,9})[ )\\]#]*$`,
  "iu",
);

/** Splits off an extension after one of these words or a star; null if there is none. */
export function splitExtensionWord(text: string): { readonly rest: string; readonly extension: string } | null {
  const composed = text.normalize("NFC");
  const match = AT_END.exec(composed);
  if (match === null) return null;
  return { rest: composed.slice(0, match.index), extension: match[1]! };
}
