import type { DeliverabilityFlag } from "./result-values.ts";

/** A document that a statement about numbers is based on. */
export interface PublishedSource {
  /** The publisher. */
  readonly publisher: string;
  readonly document: string;
  /** Null if there is no stable address. */
  readonly url: string | null;
}

/** Where each set of numbers reserved for films, books, and examples was published. The ranges are in worker/phone. */
export const FICTION_SOURCES = {
  nanp: {
    publisher: "ATIS Industry Numbering Committee and the North American Numbering Plan Administrator",
    document: "ATIS-0300115, 555 NXX line numbers: 555-0100 to 555-0199 are fictitious, non-working numbers",
    url: "https://www.nationalnanpa.com/pdf/NRUF/ATIS-0300115.pdf",
  },
  unitedKingdom: {
    publisher: "Ofcom",
    document: "Telephone numbers for drama purposes (TV, radio etc)",
    url: "https://www.ofcom.org.uk/phones-and-broadband/phone-numbers/numbers-for-drama",
  },
  france: {
    publisher: "Arcep",
    document: "Décision n° 2018-0881, annexe 1 (plan national de numérotation), 2.5.12: œuvres audiovisuelles",
    url: "https://www.legifrance.gouv.fr/jorf/article_jo/JORFARTI000037263033",
  },
  australia: {
    publisher: "Australian Communications and Media Authority (ACMA)",
    document: "Phone numbers for use in TV shows, films and creative works",
    url: "https://www.acma.gov.au/phone-numbers-use-tv-shows-films-and-creative-works",
  },
  sweden: {
    publisher: "Post- och telestyrelsen (PTS)",
    document: "Telefonnummer till böcker och filmer",
    url: "https://www.pts.se/internet-och-telefoni/telefonnummer-och-adressering/telefonnummer-till-bocker-och-filmer/",
  },
  ireland: {
    publisher: "Commission for Communications Regulation (ComReg)",
    document: "Irish national numbering scheme: numbers for drama use",
    url: null,
  },
  germany: {
    publisher: "Bundesnetzagentur",
    document: "Mitteilung Nr. 148/2021, Amtsblatt 07/2021: Rufnummern für Medienproduktionen (Drama Numbers)",
    url: "https://www.bundesnetzagentur.de/DE/Fachthemen/Telekommunikation/Nummerierung/_DL/mittlg148_2021.pdf",
  },
} as const satisfies Record<string, PublishedSource>;
export type FictionSource = keyof typeof FICTION_SOURCES;

/** Registers that list every range, on which "unassigned" is based. */
const REGISTERS: readonly PublishedSource[] = [
  { publisher: "NANPA", document: "Central office codes, for the United States", url: "https://www.nanpa.com" },
  { publisher: "Canadian Numbering Administrator", document: "Central office codes", url: "https://cnac.ca" },
  {
    publisher: "Instituto Federal de Telecomunicaciones",
    document: "Plan Nacional de Numeración, for Mexico",
    url: "https://sns.ift.org.mx",
  },
  { publisher: "Arcep", document: "MAJNUM, for France", url: "https://www.arcep.fr" },
  { publisher: "Ofcom", document: "National Telephone Numbering Plan", url: "https://www.ofcom.org.uk" },
  {
    publisher: "Ministry of Digital Development of Russia",
    document: "Register of numbering, DEF codes",
    url: "https://opendata.digital.gov.ru",
  },
];

/** What a deliverability flag is based on: published documents, or our own heuristic, which is labeled as such. */
export interface FlagSource {
  readonly basis: "published" | "heuristic";
  /** When the flag is set, in one sentence. */
  readonly rule: string;
  /** Empty for a heuristic. */
  readonly sources: readonly PublishedSource[];
}

const LIBPHONENUMBER: PublishedSource = {
  publisher: "libphonenumber project",
  document: "PhoneNumberMetadata.xml, compiled from the national numbering plans that ITU and the regulators publish",
  url: "https://github.com/google/libphonenumber/blob/master/resources/PhoneNumberMetadata.xml",
};

const SHORT_NUMBERS: PublishedSource = {
  publisher: "libphonenumber project",
  document: "ShortNumberMetadata.xml, compiled from national numbering plans",
  url: "https://github.com/google/libphonenumber/blob/master/resources/ShortNumberMetadata.xml",
};

const ITU_E164: PublishedSource = {
  publisher: "International Telecommunication Union",
  document: "Recommendation ITU-T E.164, The international public telecommunication numbering plan",
  url: "https://www.itu.int/rec/T-REC-E.164",
};

export const FLAG_SOURCES = {
  reserved_for_fiction: {
    basis: "published",
    rule: "The number is in a range reserved for films, books, and examples.",
    sources: Object.values(FICTION_SOURCES),
  },
  not_allocated: {
    basis: "published",
    rule: "The regulator's register lists the range as free, or doesn't list it, though it covers the whole area code.",
    sources: REGISTERS,
  },
  premium_rate: {
    basis: "published",
    rule: "The numbering plan reserves the range for services that charge the caller extra.",
    sources: [LIBPHONENUMBER],
  },
  toll_free: {
    basis: "published",
    rule: "The numbering plan reserves the range for calls paid by the called party.",
    sources: [LIBPHONENUMBER],
  },
  shared_cost: {
    basis: "published",
    rule: "The numbering plan reserves the range for calls with the cost split between both parties.",
    sources: [LIBPHONENUMBER],
  },
  non_geographic: {
    basis: "published",
    rule:
      "The calling code doesn't belong to a country (a global service or a network), or the range is for universal access, " +
      "personal, or internet telephony numbers, which follow their subscriber anywhere.",
    sources: [ITU_E164, LIBPHONENUMBER],
  },
  repeated_digits: {
    basis: "heuristic",
    rule: "One digit seven or more times in a row, or a national number with just one distinct digit: often made up, though it can be real.",
    sources: [],
  },
  trailing_zeros: {
    basis: "heuristic",
    rule: "Ends in four or more zeros. Often a placeholder or a switchboard, but can be real.",
    sources: [],
  },
  trailing_words: {
    basis: "heuristic",
    rule: "Words after the number, as in “+49 30 901820 Fax”, were dropped because the number is valid without them.",
    sources: [],
  },
  spreadsheet_damage: {
    basis: "heuristic",
    rule: "A spreadsheet stored the number as a decimal (6641234567.0) or in scientific notation (6.641234567E9). All its digits are there, so we read them.",
    sources: [],
  },
  short_code: {
    basis: "published",
    rule: "A short code, which only works within its country and isn't a phone number.",
    sources: [SHORT_NUMBERS],
  },
  emergency: {
    basis: "published",
    rule: "A short code that reaches an emergency service.",
    sources: [SHORT_NUMBERS],
  },
} as const satisfies Record<DeliverabilityFlag, FlagSource>;
