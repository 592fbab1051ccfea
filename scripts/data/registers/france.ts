import { dateOf, findSource, readRows } from "./source.ts";
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

/** ARCEP's ranges, by the code of their operator, with the operators' names. What COVERED has and they don't is unassigned. */
export const france: RegisterReader = {
  addresses: {
    "arcep-MAJNUM": "https://extranet.arcep.fr/uploads/MAJNUM.csv",
    "arcep-identifiants_CE": "https://extranet.arcep.fr/uploads/identifiants_CE.csv",
  },
  read(directory) {
    const [file, operators] = ["arcep-MAJNUM", "arcep-identifiants_CE"].map((name) => findSource(directory, name));
    if (!file || !operators) return null;
    const layout = { delimiter: ";", encoding: "latin1" } as const;
    const rows = readRows(file, { ...layout, columns: ["Tranche_Debut", "Tranche_Fin", "Mnémo", "Territoire"] });
    const names = new Map(
      readRows(operators, { ...layout, columns: ["IDENTITE_OPERATEUR", "CODE_OPERATEUR"] }).map((row) => [
        row.CODE_OPERATEUR,
        row.IDENTITE_OPERATEUR,
      ]),
    );
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
      const holder = names.get(Mnémo) ?? null;
      const range = {
        from: `${callingCode}${first}`,
        to: `${callingCode}${last}`,
        status: "assigned",
        holder,
      } as const;
      return callingCode === "33" ? [range] : [range, abroad];
    });
    return { asOf: dateOf(file), rows: rows.length, covers: COVERED, ranges };
  },
};

/** 01 to 07 and 09; the numbers of 08 have several lengths. */
const COVERED = ["1", "2", "3", "4", "5", "6", "7", "9"].map((digit) => `33${digit}`);
