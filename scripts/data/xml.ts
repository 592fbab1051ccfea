import { parseXml, XmlElement } from "@rgrove/parse-xml";

export type { XmlElement };

/** The root of one of Google's metadata files. @throws XmlError for anything but a well-formed document */
export function readXml(source: string): XmlElement {
  return parseXml(source).root!;
}

/** The children with this name. */
export function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child instanceof XmlElement).filter((child) => child.name === name);
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
