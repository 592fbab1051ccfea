/** What stands between the lines of three dashes at the top of a docs page. */
export interface Frontmatter {
  readonly title: string;
  /** One sentence, for search engines and under the heading. */
  readonly description: string;
}

const BLOCK = /^---\n([\s\S]*?)\n---\n/;
const LINE = /^(\w+):\s*(.+)$/;

/**
 * Takes the front matter off a page: lines of `name: text`, where the text may stand in double quotes.
 * @throws Error when title or description is missing, or something else is there.
 */
export function splitFrontmatter(source: string): { readonly frontmatter: Frontmatter; readonly body: string } {
  const block = BLOCK.exec(source);
  if (block === null) throw new Error("A docs page must begin with front matter: title and description.");
  const entries = new Map<string, string>();
  for (const line of block[1]!.split("\n").filter((text) => text.trim() !== "")) {
    const [, name, text] = LINE.exec(line.trim()) ?? [];
    if (name === undefined || text === undefined) throw new Error(`This is no front matter: ${line}`);
    entries.set(name, text.startsWith('"') ? (JSON.parse(text) as string) : text.trim());
  }
  const { title, description, ...others } = Object.fromEntries(entries);
  if (!title || !description) throw new Error("The front matter must have a title and a description.");
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`The front matter has title and description only, not ${unknown}.`);
  // Lines keep their numbers, for the messages of the compiler.
  const blank = "\n".repeat(block[0].split("\n").length - 1);
  return { frontmatter: { title, description }, body: blank + source.slice(block[0].length) };
}
