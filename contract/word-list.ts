/**
 * The words of a sorted list that `packWords` in scripts/word-lists.ts has packed: each without what it has in common with the one before
 * it, and in front how many characters that is, as a capital letter. Words have no capitals.
 */
export function unpackWords(packed: string): string[] {
  let word = "";
  return packed.split(/(?=[A-Z])/).map((entry) => (word = word.slice(0, entry.charCodeAt(0) - 65) + entry.slice(1)));
}
