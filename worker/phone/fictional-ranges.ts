import type { PhoneNumber } from "./number.ts";

/** A document that a statement about numbers is based on. */
interface PublishedSource {
  /** The publisher. */
  readonly publisher: string;
  readonly document: string;
  /** Null if there is no stable address. */
  readonly url: string | null;
}

/** Where each set of numbers reserved for films, books, and examples was published. */
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

/**
 * National numbers from the first to the last, inclusive and of the same length; a single number if there is no last.
 */
export type NumberRange = readonly [from: string, to: string] | readonly [only: string];

/** Numbers that one publisher reserves within a calling code. */
export interface FictionalNumbers {
  readonly callingCode: string;
  readonly source: FictionSource;
  /**
   * For ranges that apply in many area codes: which ones. The ranges are then what follows the three digits of the area
   * code.
   */
  readonly areaCode?: RegExp;
  readonly ranges: readonly NumberRange[];
}

// Excludes codes of special services (last two digits alike, 52X and 710), where 555 is not reserved, and the Caribbean
// countries and Bermuda, which assign their own numbers: libphonenumber lists 784-555 (St Vincent) and 876-555
// (Jamaica) as assigned.
const US_AND_CANADA_AREA_CODE =
  /^(?!\d(\d)\1|52[1-9]|710|242|246|264|268|284|345|441|473|649|658|664|721|758|767|784|809|829|849|868|869|876)[2-9]\d\d$/;

/** Numbers reserved for fiction, from the lists in FICTION_SOURCES. Countries that publish none are absent. */
export const FICTIONAL_NUMBERS: readonly FictionalNumbers[] = [
  {
    callingCode: "1",
    source: "nanp",
    areaCode: US_AND_CANADA_AREA_CODE,
    ranges: [["5550100", "5550199"]],
  },
  // The one fictional number of 800.
  { callingCode: "1", source: "nanp", areaCode: /^800$/, ranges: [["5550199", "5550199"]] },
  {
    callingCode: "44",
    source: "unitedKingdom",
    ranges: [
      ["1134960000", "1134960999"], // Leeds
      ["1144960000", "1144960999"], // Sheffield
      ["1154960000", "1154960999"], // Nottingham
      ["1164960000", "1164960999"], // Leicester
      ["1174960000", "1174960999"], // Bristol
      ["1184960000", "1184960999"], // Reading
      ["1214960000", "1214960999"], // Birmingham
      ["1314960000", "1314960999"], // Edinburgh
      ["1414960000", "1414960999"], // Glasgow
      ["1514960000", "1514960999"], // Liverpool
      ["1614960000", "1614960999"], // Manchester
      ["2079460000", "2079460999"], // London
      ["1914980000", "1914980999"], // Tyneside, Durham, Sunderland
      ["2896496000", "2896496999"], // Northern Ireland
      ["2920180000", "2920180999"], // Cardiff
      ["1632960000", "1632960999"], // no area
      ["7700900000", "7700900999"], // mobile
      ["8081570000", "8081570999"], // freephone
      ["9098790000", "9098790999"], // premium rate
      ["3069990000", "3069990999"], // UK-wide
    ],
  },
  {
    callingCode: "33",
    source: "france",
    ranges: [
      ["199000000", "199009999"], // Île-de-France
      ["261910000", "261919999"], // north-west
      ["353010000", "353019999"], // north-east
      ["465710000", "465719999"], // south-east
      ["536490000", "536499999"], // south-west
      ["639980000", "639989999"], // mobile
    ],
  },
  {
    callingCode: "61",
    source: "australia",
    ranges: [
      ["255500000", "255509999"], // Central East
      ["270100000", "270109999"],
      ["355500000", "355509999"], // South East
      ["370100000", "370109999"],
      ["755500000", "755509999"], // North East
      ["770100000", "770109999"],
      ["855500000", "855509999"], // Central and West
      ["870100000", "870109999"],
      ["491570006"], // mobile, all thirty
      ["491570110"],
      ["491570156", "491570159"],
      ["491570313"],
      ["491570737"],
      ["491571266"],
      ["491571491"],
      ["491571804"],
      ["491572549"],
      ["491572665"],
      ["491572983"],
      ["491573087"],
      ["491573770"],
      ["491574118"],
      ["491574632"],
      ["491575254"],
      ["491575789"],
      ["491576398"],
      ["491576801"],
      ["491577426"],
      ["491577644"],
      ["491578148"],
      ["491578888"],
      ["491578957"],
      ["491579212"],
      ["491579455"],
      ["491579760"],
      ["1800160401"], // freephone
      ["1800975707", "1800975711"],
      ["1300975707", "1300975711"], // local rate
    ],
  },
  {
    callingCode: "46",
    source: "sweden",
    ranges: [
      ["313900600", "313900699"], // Göteborg
      ["406280400", "406280499"], // Malmö
      ["846500400", "846500499"], // Stockholm
      ["980319200", "980319299"], // Kiruna
      ["701740605", "701740699"], // mobile
    ],
  },
  {
    callingCode: "353",
    source: "ireland",
    ranges: [["209100000", "209199999"]],
  },
  {
    callingCode: "49",
    source: "germany",
    ranges: [
      ["3023125000", "3023125999"], // Berlin
      ["6990009000", "6990009999"], // Frankfurt am Main
      ["4066969000", "4066969999"], // Hamburg
      ["2214710000", "2214710999"], // Köln
      ["8999998000", "8999998999"], // München
      ["15228817386"], // mobile
      ["15228895456"],
      ["15254599371"],
      ["1713920000", "1713920099"],
      ["1729925904"],
      ["1729968532"],
      ["1729973185", "1729973186"],
      ["1729980752"],
      ["1749091317"],
      ["1749464308"],
      ["17604069000", "17604069099"],
    ],
  },
];

const NUMBERS_BY_CALLING_CODE: ReadonlyMap<string, readonly FictionalNumbers[]> = Map.groupBy(
  FICTIONAL_NUMBERS,
  (numbers) => numbers.callingCode,
);

function isWithin(digits: string, [from, to = from]: NumberRange): boolean {
  // Digit strings of the same length sort numerically.
  return digits.length === from.length && digits >= from && digits <= to;
}

function includes({ areaCode, ranges }: FictionalNumbers, nationalNumber: string): boolean {
  if (areaCode === undefined) return ranges.some((range) => isWithin(nationalNumber, range));
  return areaCode.test(nationalNumber.slice(0, 3)) && ranges.some((range) => isWithin(nationalNumber.slice(3), range));
}

/**
 * Whether a number is reserved for films, books, and examples. Independent of validity: such a number can be in an
 * assigned range. Sources: FICTION_SOURCES.
 */
export function isReservedForFiction(number: PhoneNumber): boolean {
  const candidates = NUMBERS_BY_CALLING_CODE.get(number.callingCode);
  return candidates?.some((numbers) => includes(numbers, number.nationalNumber)) ?? false;
}
