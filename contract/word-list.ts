/**
 * Decodes a sorted list that `packWords` in scripts/word-lists.ts has front-coded: each word follows a capital letter for the length of the
 * prefix it shares with the previous word. Words contain no capitals.
 */
export function unpackWords(packed: string): string[] {
  let word = "";
  return packed.split(/(?=[A-Z])/).map((entry) => (word = word.slice(0, entry.charCodeAt(0) - 65) + entry.slice(1)));
}
