/** A numbering plan change that lets us recognize and convert old numbers. */
export interface PlanChange {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly callingCode: string;
  /** A pattern for whole old national numbers, and the new international number without its plus sign. */
  readonly steps: readonly (readonly [from: string, to: string])[];
}

/**
 * Changes since 2010, each with its source and the year in which old numbers stopped working or new ones started.
 *
 * Excludes changes after which old numbers are still valid in the plans (Gabon 2019, Kosovo under +377), and those whose
 * new number depends on the old carrier, which the old digits don't reveal (landlines in Côte d’Ivoire and Manila).
 */
export const PLAN_CHANGES: readonly PlanChange[] = [
  // 2024: All numbers got an 01 prefix and now have ten digits.
  // Radio France Internationale, on ARCEP Bénin’s plan: Le format des numéros de téléphone passe de huit à dix chiffres (30 November
  // 2024), https://fr.allafrica.com/stories/202411300249.html
  {
    country: "BJ",
    callingCode: "229",
    steps: [["(\\d{8})", "22901$1"]],
  },
  // 2016: Mobile numbers got a 9 before their eight digits, area by area, from 2012 to 2016.
  // Agência Nacional de Telecomunicações (Anatel), through the ITU: National numbering plan of Brazil, communicated to the ITU: 11
  // 9XXXX XXXX from 29 July 2012, https://www.itu.int/dms_pub/itu-t/oth/02/02/T020200001D0003PDFE.pdf
  {
    country: "BR",
    callingCode: "55",
    steps: [["([1-9]{2})([6-9]\\d{7})", "55$19$2"]],
  },
  // 2021: Mobile numbers got their operator's 01, 05, or 07 prefix, determined by the old second digit.
  // Autorité de régulation des télécommunications/TIC de Côte d’Ivoire (ARTCI): Press conference of 28 July 2020: numbers of ten
  // digits from 31 January 2021, as NewsGeek reports it,
  // https://newsgeek.ci/2020/07/28/telephonie-la-cote-divoire-bascule-a-10-chiffres-a-partir-du-31-janvier-2021
  {
    country: "CI",
    callingCode: "225",
    steps: [
      ["([04-9][0-3]\\d{6})", "22501$1"],
      ["([04-9][4-6]\\d{6})", "22505$1"],
      ["([04-9][7-9]\\d{6})", "22507$1"],
    ],
  },
  // 2014: Landlines got a 2 after their area code and now have nine digits.
  // libphonenumber project: Issue 1245: fixed lines of Chile from 8 to 9 digits, done in August 2014,
  // https://github.com/google/libphonenumber/issues/1245
  {
    country: "CL",
    callingCode: "56",
    steps: [
      ["2(\\d{7})", "5622$1"],
      ["([3-7]\\d)(\\d{6})", "56$12$2"],
    ],
  },
  // 2014: Mobile numbers got a 6 prefix, landlines a 2. All now have nine digits.
  // Agence de régulation des télécommunications (ART), Cameroon: Numbers of nine digits from 21 November 2014, as CIO Mag reports it,
  // https://cio-mag.com/?p=1396
  {
    country: "CM",
    callingCode: "237",
    steps: [
      ["([5-9]\\d{7})", "2376$1"],
      ["([23]\\d{7})", "2372$1"],
    ],
  },
  // 2021: Landlines got 60 before their area digit and now have ten digits.
  // Comisión de Regulación de Comunicaciones (CRC), Colombia: Resolución 5826 de 2019: a single national dialing from 1 September
  // 2021, as Fredonia (Antioquia) announces it,
  // https://www.fredonia-antioquia.gov.co/NuestraAlcaldia/SaladePrensa/Paginas/NUEVA-MARCACI%C3%93N-TELEF%C3%93NICA-NACIONAL.aspx
  {
    country: "CO",
    callingCode: "57",
    steps: [["([1245678]\\d{7})", "5760$1"]],
  },
  // 2012: Mobile numbers got a 9 prefix and now have nine digits after the trunk zero.
  // Sangay Touring: Dialing mobile numbers in Ecuador: a 9 after the first 0 from 30 September 2012,
  // http://www.sangay.com/ecuadorguide/ecuador/dialing-mobile-cellular-numbers-in-ecuador-south-america/
  {
    country: "EC",
    callingCode: "593",
    steps: [["([5-9]\\d{7})", "5939$1"]],
  },
  // 2011: Mobile numbers got an operator digit after the 1 and now have ten digits after the trunk zero.
  // National Telecom Regulatory Authority (NTRA), Egypt: Mobile numbers of 11 digits from 6 October 2011,
  // http://www.tra.gov.eg/english/News_NewsDetails.asp?PID=39&ID=186
  {
    country: "EG",
    callingCode: "20",
    steps: [
      ["1([069]\\d{7})", "2010$1"],
      ["1([14]\\d{7})", "2011$1"],
      ["1([278]\\d{7})", "2012$1"],
      ["150(\\d{7})", "20120$1"],
      ["151(\\d{7})", "20101$1"],
      ["152(\\d{7})", "20112$1"],
    ],
  },
  // 2011: Mobile numbers got a 5 prefix. Tbilisi landlines got a 2 after the area code 32.
  // Wikipedia: Telephone numbers in Georgia: the plan of 4 June 2011,
  // https://en.wikipedia.org/wiki/Telephone_numbers_in_Georgia_(country)
  {
    country: "GE",
    callingCode: "995",
    steps: [
      ["([5-9]\\d{7})", "9955$1"],
      ["32(\\d{6})", "995322$1"],
    ],
  },
  // 2010: Landlines got a code of their region, two digits or one more, and now have nine digits.
  // World Telephone Numbering Guide: Ghana: GT-Vodafone renumbering of 1 May 2010, https://www.wtng.sitindaonnews.com/index.php/3265-ghana
  {
    country: "GH",
    callingCode: "233",
    steps: [
      ["21(\\d{6})", "233302$1"],
      ["22(\\d{6})", "233303$1"],
      ["31(\\d{5})", "2333120$1"],
      ["41(\\d{5})", "2333320$1"],
      ["42(\\d{5})", "2333321$1"],
      ["51(\\d{5})", "2333220$1"],
      ["61(\\d{5})", "2333520$1"],
      ["71(\\d{5})", "2333720$1"],
      ["72(\\d{5})", "2333820$1"],
    ],
  },
  // 2013: Mobile numbers got a second 6 and now have nine digits.
  // AfterShip/phone: Pull request 42: Guinea phone number length changed, https://github.com/AfterShip/phone/pull/42
  {
    country: "GN",
    callingCode: "224",
    steps: [["(6\\d{7})", "2246$1"]],
  },
  // 2013: Mobile numbers got a 5 prefix and now have eight digits.
  // Information and Communication Technologies Authority (ICTA), Mauritius: Mobile numbers of eight digits from 1 September 2013, as
  // CommsUpdate reports it, https://www.commsupdate.com/articles/2013/09/02/mauritius-migrates-to-a-new-8-digit-mobile-numbering-plan/
  {
    country: "MU",
    callingCode: "230",
    steps: [["([279]\\d{6})", "2305$1"]],
  },
  // 2019: The 1 before mobile numbers for callers abroad is gone, as are 01, 044, and 045.
  // Mexperience: Mexico simplifies its telephone dialing rules, from 3 August 2019,
  // https://www.mexperience.com/mexico-simplifies-telephone-dialing-rules/
  {
    country: "MX",
    callingCode: "52",
    steps: [["(?:1|01|044|045)(\\d{10})", "52$1"]],
  },
  // 2024: Landlines got 20 before their area code and now have ten digits.
  // Nigerian Communications Commission (NCC): new format of fixed lines from 1 January 2024, as Premium Times reports it,
  // https://www.premiumtimesng.com/promoted/627130-ncc-announces-change-to-fixed-lines-numbering-format.html
  { country: "NG", callingCode: "234", steps: [["([1-9]\\d{6,7})", "23420$1"]] },
  // 2010: The first digit is repeated, so numbers now have eight digits.
  // Communications Regulatory Authority, Qatar: Numbers of eight digits from 28 July 2010,
  // https://www.cra.gov.qa/en/press-releases/qatars-phone-numbers-expand-digit-meet-growing-demand
  {
    country: "QA",
    callingCode: "974",
    steps: [["([3-7])(\\d{6})", "974$1$1$2"]],
  },
  // 2013: Landlines got a 1 before their area digit and now have nine digits.
  // Communications and Information Technology Commission (CITC), through the ITU: Communication of 9.IV.2013,
  // https://studylib.net/doc/13549914/saudi-arabia--country-code--966--communication-of-3.ix.2014-
  { country: "SA", callingCode: "966", steps: [["([1-46-7]\\d{7})", "9661$1"]] },
  // 2011: Landlines got a 2 prefix. Mobile numbers' first digit became 90, 91, or 92 (Togo Cellulaire), or 98 or 99 (Moov).
  // African Telecoms News: Extra digit inserted (Togo), from 7 August 2011,
  // http://www.blog.africantelecomsnews.com/2011/08/extra-digit-inserted-togo.html
  {
    country: "TG",
    callingCode: "228",
    steps: [
      ["([2-3]\\d{6})", "2282$1"],
      ["9(\\d{6})", "22890$1"],
      ["[08](\\d{6})", "22891$1"],
      ["7(\\d{6})", "22892$1"],
      ["[068](\\d{6})", "22898$1"],
      ["[579](\\d{6})", "22899$1"],
    ],
  },
  // 2010: Landlines outside Montevideo got a 4 before their area code and now have eight digits.
  // Unidad Reguladora de Servicios de Comunicaciones (URSEC), through the ITU: Communication of 18.VI.2010: change of the numbering
  // plan on 29 August 2010, https://studylib.net/doc/13553596/uruguay--country-code--598--communication-of-21.i.2014-ad...
  {
    country: "UY",
    callingCode: "598",
    steps: [["([3-7]\\d{6})", "5984$1"]],
  },
  // 2018: Eleven-digit mobile numbers now have ten. Each 12X, 16X, 18X, and 199 became a two-digit prefix.
  // Ministry of Information and Communications of Vietnam: Decision 798/QĐ-BTTTT of 2018: subscribers of 11 digits become 10,
  // https://luatvietnam.vn/thong-tin/quyet-dinh-798-qd-btttt-2018-ke-hoach-chuyen-thue-bao-11-so-sang-10-so-163661-d1.html
  {
    country: "VN",
    callingCode: "84",
    steps: [
      ["120(\\d{7})", "8470$1"],
      ["121(\\d{7})", "8479$1"],
      ["122(\\d{7})", "8477$1"],
      ["126(\\d{7})", "8476$1"],
      ["128(\\d{7})", "8478$1"],
      ["12([345]\\d{7})", "848$1"],
      ["127(\\d{7})", "8481$1"],
      ["129(\\d{7})", "8482$1"],
      ["16([2-9]\\d{7})", "843$1"],
      ["186(\\d{7})", "8456$1"],
      ["188(\\d{7})", "8458$1"],
      ["199(\\d{7})", "8459$1"],
      // 2017: the area codes of Hanoi and Ho Chi Minh City became 24 and 28.
      // Ministry of Information and Communications: as Viet Nam News Agency reports it,
      // https://en.vietnamplus.vn/dialling-codes-to-change-from-february-2017/103158.vnp
      ["4(\\d{8})", "8424$1"],
      ["8(\\d{8})", "8428$1"],
    ],
  },
  // 2017: Numbers of Kosovo under the calling codes of Serbia and Slovenia moved to +383.
  // International Telecommunication Union: National numbering plan of country code 383,
  // https://www.itu.int/dms_pub/itu-t/oth/02/02/T02020000FD0001PDFE.pdf
  { country: "XK", callingCode: "381", steps: [["((?:2[89]|3[89])\\d{6})", "383$1"]] },
  { country: "XK", callingCode: "386", steps: [["(4[39]\\d{6})", "383$1"]] },
];

/** By calling code. Patterns are compiled on first use. */
const known = new Map<string, ReturnType<typeof stepsOf>>();

function stepsOf(callingCode: string) {
  const changes = PLAN_CHANGES.filter((change) => change.callingCode === callingCode);
  return changes.flatMap(({ steps }) => steps.map(([from, to]) => [new RegExp(`^${from}$`), to] as const));
}

/** Converts an old national number into international numbers without a plus sign, valid or not. */
export function planChanges(callingCode: string, nationalNumber: string): string[] {
  let steps = known.get(callingCode);
  if (steps === undefined) known.set(callingCode, (steps = stepsOf(callingCode)));
  return steps.filter(([from]) => from.test(nationalNumber)).map(([from, to]) => nationalNumber.replace(from, to));
}
