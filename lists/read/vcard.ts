import { formatCount } from "../../contract/format.ts";
import type { Cell } from "../cells.ts";
import { Unusable } from "../unusable.ts";

const CARD = /^\s*BEGIN:VCARD/i;
/** A property: its name without a group, its parameters, and its value. */
const PROPERTY = /^(?:[\w-]+\.)?(FN|N|ORG|TEL)((?:;(?:[^:;"]|"[^"]*")*)*):(.*)$/i;

/** Whether a text is a contacts file (vCard). */
export function isVcard(text: string): boolean {
  return CARD.test(text);
}

/** Bytes written as `=C3=A9`, in UTF-8. */
function quotedPrintable(value: string): string {
  const bytes = value.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return new TextDecoder().decode(Uint8Array.from(bytes, (unit) => unit.charCodeAt(0)));
}

function unescape(value: string): string {
  return value.replace(/\\n/gi, "\n").replace(/\\([,;:\\])/g, "$1");
}

/** A name's parts, such as `Lovelace;Ada;;;`, as words: the given name first. */
function nameOf(parts: string): string {
  const [family = "", given = "", middle = ""] = parts.split(/(?<!\\);/).map(unescape);
  return [given, middle, family].filter(Boolean).join(" ");
}

interface Card {
  /** By property; FN is better than N, and N better than ORG. */
  readonly names: Map<string, string>;
  readonly phones: { readonly number: string; readonly type: string }[];
}

function cardOf(lines: readonly string[]): Card {
  const card: Card = { names: new Map(), phones: [] };
  for (const line of lines) {
    const [, name = "", parameters = "", given = ""] = PROPERTY.exec(line) ?? [];
    const property = name.toUpperCase();
    const value = /QUOTED-PRINTABLE/i.test(parameters) ? quotedPrintable(given) : given;
    if (property === "TEL") {
      const types = parameters.split(/[;,]/).map((part) => part.replace(/^TYPE=/i, "").replaceAll('"', ""));
      const type = types.filter((word) => word !== "" && !word.includes("=") && !/^(?:pref|voice)$/i.test(word));
      card.phones.push({ number: unescape(value).replace(/^tel:/i, ""), type: type.join(" ").toLowerCase() });
    } else if (property !== "") {
      card.names.set(property, property === "N" ? nameOf(value) : unescape(value));
    }
  }
  return card;
}

/** The rows of a contacts file (vCard 2.1 to 4.0): each number with its card's name, and a card without one too. @throws Unusable */
export function vcardRows(text: string): Cell[][] {
  // Long lines are folded: before a space, or after the "=" of quoted-printable text.
  const unfolded = text.replace(/\r?\n[ \t]/g, "").replace(/=\r?\n(?![A-Z][\w.-]*[:;])/gi, "");
  const rows: Cell[][] = [["name", "phone", "type"]];
  for (const [at, part] of unfolded
    .split(/^BEGIN:VCARD/im)
    .slice(1)
    .entries()) {
    // Its last number may lack digits.
    if (!/^END:VCARD/im.test(part)) throw new Unusable(`Contact ${formatCount(at + 1)} is cut off. Export it again.`);
    const { names, phones } = cardOf(part.split(/\r\n|\r|\n/));
    const name = names.get("FN") || names.get("N") || names.get("ORG") || "";
    if (phones.length === 0) rows.push([name, "", ""]);
    for (const { number, type } of phones) rows.push([name, number, type]);
  }
  return rows;
}
