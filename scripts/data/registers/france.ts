import { dateOf, findSource, readRows, type SourceFile } from "./source.ts";
import { type RegisterRange, type RegisterReader, without } from "./register.ts";

/** Calling codes of territories whose ranges are in France's register. Saint Pierre and Miquelon's plan has changed since. */
const CALLING_CODES: Readonly<Record<string, string | null>> = {
  Métropole: "33",
  National: "33",
  "Guadeloupe, St Martin et St Barthélemy": "590",
  Martinique: "596",
  Guyane: "594",
  "La Réunion": "262",
  "La Réunion - Océan indien": "262",
  Mayotte: "262",
  "Saint Pierre et Miquelon": null,
};

const LAYOUT = { delimiter: ";", encoding: "latin1" } as const;

/**
 * ARCEP's ranges, by the code of their operator, with the operators' names. What COVERED has and they don't is unassigned,
 * unless it's frozen.
 */
export const france: RegisterReader = {
  addresses: Object.fromEntries(
    ["MAJNUM", "GELNUM", "MAJRIO", "identifiants_CE"].map((list) => [
      `arcep-${list}`,
      `https://extranet.arcep.fr/uploads/${list}.csv`,
    ]),
  ),
  read(directory) {
    const [file, frozenFile, current, old] = ["MAJNUM", "GELNUM", "MAJRIO", "identifiants_CE"].map((list) =>
      findSource(directory, `arcep-${list}`),
    );
    if (!file || !frozenFile || !current || !old) return null;
    // A list from another month may miss a newly returned range, which we'd then call free.
    if (dateOf(frozenFile).slice(0, 7) !== dateOf(file).slice(0, 7)) {
      throw new Error(`${frozenFile.name} isn't of the same month as ${file.name}`);
    }
    const rows = readRows(file, { ...LAYOUT, columns: ["Tranche_Debut", "Tranche_Fin", "Mnémo", "Territoire"] });
    const names = readNames(old, current);
    const ranges = rows.flatMap(({ Tranche_Debut: from, Tranche_Fin: to, Mnémo, Territoire }): RegisterRange[] => {
      if (![from, to].every((number) => /^\d+$/.test(number)) || from.length !== to.length || from > to) {
        throw new Error(`${file.name}: ${from} to ${to} isn't a range`);
      }
      const callingCode = CALLING_CODES[Territoire];
      if (callingCode === undefined) throw new Error(`${file.name}: ${Territoire} is a new territory`);
      // Short codes have no zero, and numbers of machines more digits.
      if (!from.startsWith("0")) return [];
      if (from.length !== 10)
        return [{ ...without("33", null), from: `33${from.slice(1, 10)}`, to: `33${to.slice(1, 10)}` }];
      const [first, last] = [from.slice(1), to.slice(1)];
      const abroad = { ...without("33", null), from: `33${first}`, to: `33${last}` };
      if (callingCode === null) return [abroad];
      const range = {
        from: `${callingCode}${first}`,
        to: `${callingCode}${last}`,
        status: "assigned",
        ...(names.get(Mnémo) ?? { holder: null }),
      } as const;
      return callingCode === "33" ? [range] : [range, abroad];
    });
    return { asOf: dateOf(file), rows: rows.length, covers: COVERED, ranges: [...ranges, ...readFrozen(frozenFile)] };
  },
};

/** 01 to 07 and 09; the numbers of 08 have several lengths. */
const COVERED = ["1", "2", "3", "4", "5", "6", "7", "9"].map((digit) => `33${digit}`);

/**
 * Ranges that were given back and wait to be given again. They're neither assigned nor free, nor are they free after the
 * day on which they reopen: they may have been given to someone since. Shorter codes aren't numbers.
 */
function readFrozen(file: SourceFile): RegisterRange[] {
  return readRows(file, { ...LAYOUT, columns: ["EZABPQM", "Type"] })
    .filter(({ EZABPQM, Type }) => /^0\d{4,8}$/.test(EZABPQM) && Type !== "Code point sémaphore national")
    .map(({ EZABPQM }) => without(`33${EZABPQM.slice(1)}`, "unknown"));
}

type Named = Required<Pick<RegisterRange, "holder" | "holderAsOf">>;

/** Operators' names by code: the current ones of those with a code for porting, and of all others, those of the older list. */
function readNames(old: SourceFile, current: SourceFile): ReadonlyMap<string, Named> {
  const before = readRows(old, {
    ...LAYOUT,
    columns: ["IDENTITE_OPERATEUR", "CODE_OPERATEUR", "DATE_DECLARATION_OPERATEUR"],
  });
  // The list has no date of its own.
  const newest = before
    .map((row) => isoDay(row.DATE_DECLARATION_OPERATEUR, old))
    .toSorted()
    .at(-1);
  const now = readRows(current, { ...LAYOUT, columns: ["Code Attributaire", "Attributaire"] });
  return new Map([
    ...before.map((row) => [row.CODE_OPERATEUR, { holder: row.IDENTITE_OPERATEUR, holderAsOf: newest! }] as const),
    ...now.map((row) => [row["Code Attributaire"], { holder: row.Attributaire, holderAsOf: dateOf(current) }] as const),
  ]);
}

/** "2018-11-09" for "09/11/2018 00:00". */
function isoDay(day: string, { name }: SourceFile): string {
  const match = /^(\d\d)\/(\d\d)\/(\d{4})/.exec(day);
  if (match === null) throw new Error(`${name}: ${JSON.stringify(day)} isn't a day`);
  return `${match[3]}-${match[2]}-${match[1]}`;
}
