/** An element of Google's metadata files, without comments and the document type. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Without surrounding whitespace. */
  readonly text: string;
}

interface Open extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const IGNORED = /<!--.*?-->|<!DOCTYPE[^[]*\[.*?\]>|<\?.*?\?>/gs;
const TOKEN = /<(?<close>\/)?(?<name>[\w-]+)(?<attributes>(?:\s+\w+="[^"]*")*)\s*(?<empty>\/)?>|(?<text>[^<]+)/gy;
const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/** Parses the subset of XML in Google's metadata files, and returns the root. @throws Error with the position */
export function readXml(source: string): XmlElement {
  const xml = source.replaceAll(IGNORED, "");
  const top: Open = { name: "", attributes: {}, children: [], text: "" };
  const open = [top];
  let end = 0;
  for (const { 0: token, groups = {}, index } of xml.matchAll(TOKEN)) {
    end = index + token.length;
    const parent = open.at(-1)!;
    if (groups["text"] !== undefined) {
      parent.text += unescape(groups["text"]);
    } else if (groups["close"]) {
      if (open.length === 1 || parent.name !== groups["name"]) throw new Error(`Unexpected ${token} in XML`);
      parent.text = parent.text.trim();
      open.pop();
    } else {
      const attributes = Object.fromEntries(
        Array.from(groups["attributes"]!.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, unescape(value!)]),
      );
      const element: Open = { name: groups["name"]!, attributes, children: [], text: "" };
      parent.children.push(element);
      if (!groups["empty"]) open.push(element);
    }
  }
  const [root] = top.children;
  if (end !== xml.length || open.length !== 1 || root === undefined) {
    throw new Error(`Unsupported XML: ${JSON.stringify(xml.slice(end, end + 40))}`);
  }
  return root;
}

/** The children with this name. */
export function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** The only child with this name; undefined if there is none. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return childrenOf(element, name)[0];
}

/** The territories of Google's PhoneNumberMetadata.xml or ShortNumberMetadata.xml. */
export function territoriesIn(metadata: XmlElement): readonly XmlElement[] {
  return childrenOf(childOf(metadata, "territories")!, "territory");
}

/** The nationalNumberPattern of a description in Google's metadata. */
export function patternIn(description: XmlElement): string {
  return patternOf(childOf(description, "nationalNumberPattern")!.text);
}

/** A pattern without whitespace: the files break patterns across lines. */
export function patternOf(text: string): string {
  return text.replaceAll(/\s/g, "");
}

/** The possibleLengths of a description: "-1" means none, "[4-6],8" has a range. */
export function lengthsOf(description: XmlElement): { readonly national: number[]; readonly localOnly: number[] } {
  const { national = "", localOnly = "" } = childOf(description, "possibleLengths")?.attributes ?? {};
  return { national: readLengths(national), localOnly: readLengths(localOnly) };
}

function readLengths(list: string): number[] {
  if (list === "" || list === "-1") return [];
  return list.split(",").flatMap((part) => {
    const [, from, to = from] = /^\[?(\d+)(?:-(\d+)\])?$/.exec(part) ?? [];
    if (from === undefined) throw new Error(`Invalid lengths: ${list}`);
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, place) => Number(from) + place);
  });
}

function unescape(text: string): string {
  return text.replaceAll(/&\w+;/g, (entity) => {
    const character = ENTITIES[entity];
    if (character === undefined) throw new Error(`Unsupported entity ${entity}`);
    return character;
  });
}
