import type { Cell } from "../lists/cells.ts";

/** A row of the list: a number as its country writes it. */
export interface ListRow {
  /** How the row spells its country. */
  readonly spelled: string;
  /** That country's ISO code; "" for none. */
  readonly country: string;
  /** As written; "" for a blank row. */
  readonly phone: string;
  /** In E.164; null if it isn't valid. */
  readonly number: string | null;
}

interface Writing {
  readonly spellings: readonly string[];
  /** A mobile number as written there and in E.164, with four digits of its own. */
  readonly write: (digits: string) => readonly [phone: string, number: string];
}

const COUNTRIES: Readonly<Record<string, Writing>> = {
  GB: {
    spellings: ["United Kingdom", "GB", "UK", "GBR"],
    write: (digits) => [`07773 68${digits}`, `+44777368${digits}`],
  },
  DE: {
    spellings: ["Deutschland", "Germany", "de", "DEU"],
    write: (digits) => [`0171 984${digits}`, `+49171984${digits}`],
  },
  BR: { spellings: ["Brasil", "Brazil", "BR"], write: (digits) => [`(11) 98765-${digits}`, `+551198765${digits}`] },
  FR: {
    spellings: ["France", "fra", "FR"],
    write: (digits) => [`06 12 34 ${digits.slice(0, 2)} ${digits.slice(2)}`, `+3361234${digits}`],
  },
  JP: { spellings: ["日本", "Japan", "JPN"], write: (digits) => [`090-1234-${digits}`, `+81901234${digits}`] },
  US: {
    spellings: ["United States", "USA", "U.S.", "us"],
    write: (digits) => [`(212) 736-${digits}`, `+1212736${digits}`],
  },
};

/** A British number that lost its plus sign. With Germany it is a landline. */
export const WITHOUT_PLUS = "447773681930";

function rowAt(at: number): ListRow {
  const codes = Object.keys(COUNTRIES);
  const country = codes[at % codes.length]!;
  const { spellings, write } = COUNTRIES[country]!;
  const [phone, number] = write(String(1000 + at * 7));
  const spelled = spellings[Math.floor(at / codes.length) % spellings.length]!;
  return { spelled, country, phone: at % 10 === 3 ? number : phone, number };
}

/** The rows that aren't like the others, by place. */
const ODD: Readonly<Record<number, Partial<ListRow>>> = {
  6: { phone: WITHOUT_PLUS, number: `+${WITHOUT_PLUS}` },
  50: { phone: "", number: null },
  100: { phone: "02", number: null },
  150: { spelled: "", country: "", phone: "+442079460018", number: "+442079460018" },
  200: { spelled: "Untied Kingdom", country: "", phone: "07773 681931", number: null },
  250: { spelled: "Untied Kingdom", country: "", phone: "+447773681932", number: "+447773681932" },
  300: { spelled: "Grmany", country: "", phone: "0171 9840331", number: null },
};

/** Four hundred rows of six countries, each in several spellings. */
export const COUNTRY_LIST: readonly ListRow[] = Array.from({ length: 400 }, (_, at) => ({ ...rowAt(at), ...ODD[at] }));

/** The list as a table with a header, and columns around it. */
export const COUNTRY_TABLE: Cell[][] = [
  ["Customer", "Country", "Phone", "Since"],
  ...COUNTRY_LIST.map(({ spelled, phone }, at) => [`C-${at + 1}`, spelled, phone, "2026-01-31"]),
];

/** The table as a CSV file. */
export const COUNTRY_CSV = COUNTRY_TABLE.map((row) => `${row.join(",")}\r\n`).join("");
