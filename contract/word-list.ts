/**
 * The words of a sorted list that `packWords` in scripts/word-lists.ts has packed: apart by spaces, each without what it has in common with
 * the one before it, and how many characters that is in front, one digit of base 36.
 */
export function unpackWords(packed: string): string[] {
  let word = "";
  return packed.split(" ").map((entry) => (word = word.slice(0, Number.parseInt(entry[0]!, 36)) + entry.slice(1)));
}
