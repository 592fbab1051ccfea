/** A text as words in lower case without Latin accents: `phoneNumber` and `PHONE_NUMBER` are "phone number". */
export function wordsOf(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036F]/g, "")
    .normalize("NFC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, " ")
    .trim();
}

/** Matches a header with one of these parts anywhere, beginnings of a word, or words. */
function matcher({ parts = "", starts = "", words }: { parts?: string; starts?: string; words: string }): RegExp {
  const choices = [`(?<!\\p{L})(?:${words})(?!\\p{L})`];
  if (starts !== "") choices.push(`(?<!\\p{L})(?:${starts})`);
  if (parts !== "") choices.push(parts);
  return new RegExp(choices.join("|"), "u");
}

const MOBILE = {
  parts: "手机|手機|携帯|휴대|핸드폰|มือถือ|جوال|موبايل|محمول|موبایل|נייד|मोबाइल|মোবাইল|whats ?app",
  starts:
    "mobil|mobiel|movil|celular|cellul|telemov|handy|matkapuh|komork|κινητ|мобил|мобіл|сотов|di đong|portable|natel|msisdn",
  words: "mob|cell|cel|gsm|hp|sms|text number|cep tel\\p{L}*|моб|сот",
};
const PHONE = {
  parts: `${MOBILE.parts}|phone|telefo|puhelin|rufnummer|fernsprech|телефон|τηλεφων|電話|电话|전화|연락처|โทร|هاتف|تليفون|تلفن|טלפון|फोन|फ़ोन|ফোন|e ?164`,
  starts: `${MOBILE.starts}|telef|đien thoai|dien thoai|telp`,
  words: `${MOBILE.words}|tel|tels|telf|tlf|tlfn|tfno|tfn|tfn?nr|fon|ph|sđt|sdt|contact (?:no|nr|number)|caller|dids?|ddis?|тел`,
};
/** Fax numbers, which are never called. With a slash or a word between, `Tel./Fax`, a column may have either. */
const FAX = {
  parts: "fax|факс|ファクス|ファックス|팩스|传真|傳真|فاكس|פקס|φαξ|โทรสาร",
  words: "faks|faxe?|telekopie|telecopie(?:ur)?|telecopia(?:dora)?",
};
/** Other people's numbers than the one the row is about. */
const OTHER_PERSON = {
  starts: "emergenc|notfall|urgenc|guardian|assist|refer|spouse|partner|supervisor|manager|notrufkontakt",
  words:
    "asst|next of kin|nok|ice|parent|mother|father|mum|mom|dad|wife|husband|friend|relative|recruiter|agent|owner|sender|absender|support|hotline|service|company main|main company|hq|switchboard|zentrale|responsavel|padre|madre|pere|mere|mutter|vater",
};
/** Numbers of second choice. */
const SECOND = {
  starts: "altern|secondar|zweit|secund|additional|weiter|autre|otro|outro|altro",
  words: "alt|other|backup|[2-9]|2nd|3rd|second|old|previous|former|alte|ancien|antiguo",
};
/** Words of a header that say nothing about whose number it is. */
const PLAIN =
  /^(?:\p{Nd}+(?:st|nd|rd|th)?|\p{Nd}*h|the|a|an|your|my|of|for|in|no|nr|num|number|numbers|nummer|numero|numeros|numer|номер|value|residence|residency|resident|live|lives|primary|main|preferred|default|full|international|national|local|formatted|format|raw|e|164|with|what|is|s|please|enter|provide|code|codes|name|names|id|iso|iso2|iso3|alpha|alpha2|alpha3|short|long|de|do|da|du|del|della|di|le|la|el|der|des|und|and|or|e|et|y|contact)$/u;

/** About a number, with digits of its own: `phone_number_id`, `phone_verified_at`. */
const ABOUT = { words: "ids?|uuid|at$|on$|date|datum|timestamp|imei|calls?$|model|brand|bill" };

/** Numbers that aren't for calling. */
const OTHER = {
  parts:
    "邮编|邮政|郵便|郵遞|우편|订单|訂單|注文|주문|编号|編號|番号|번호|身份证|почтов|индекс|заказ|дата|счет|сумм|цена|المعرف|תאריך",
  starts:
    "order|bestell|auftrag|pedido|commande|ordine|kunden|customer|client|account|konto|compte|cuenta|conto|conta(?!c|t)|invoice|rechnung|factur|fatura|fattura|post(?:al|code|leit|nummer|nr)|codigo postal|barcode|passport|created|updated|modified|birth|geburt|naiss|nacimi|documento|identi|cedula|matric|latitud|longitud|amount|betrag|montant|importe|valor|total|price|preis|prix|precio|preco|umsatz|revenue|kod poczt|zamow",
  words:
    "ids?|uuid|guid|no|nr|zip(?: ?code)?|plz|cap|cp|cep|pin(?: ?code)?|ip(?: address)?|ean|gtin|upc|isbn|asin|sku|iban|bic|vat|tax|ust|steuer|nif|cif|dni|nie|nin|nino|aadhaar|aadhar|pan|rg|rut|run|bvn|cpf|cnpj|curp|rfc|nit|ssn|siren|siret|pesel|nip|date|datum|fecha|data|timestamp|time|lat|lon|lng|sum|qty|quantity|size|sn|serial|tracking|transaction|ref|reference",
};

const COUNTRY = {
  parts: "国家|國家|国名|國名|国コード|国番号|국가|나라|ประเทศ|دولة|الدولة|البلد|بلد|کشور|מדינה|ארץ|код страны",
  starts:
    "countr|lander|landkod|landcod|landskod|krajin|orszag|χωρα|стран|країн|држав|държав|staat|nationalit|nacionalid|nazionalit|grazhdan|гражданств",
  words:
    "land|land ?\\d|pais(?:es)?|pays|paesi?|nations?|nazion[ei]|kraj|zeme|stat|tara|ulke(?:si|ler)?|maa|riik|valsts|salis|drzava|zemlja|quoc gia|negara|nchi|territory|territories|market|देश|দেশ|国|國|iso ?(?:code|[23]|3166)?(?: ?(?:alpha )?[123])*|cc|cntry|ctry|(?:dial(?:ing)?|calling|isd|idd) ?(?:code|prefix)|(?:landes|lander)vorwahl|indicatif(?: pays)?|ddi pais|prefijo pais|prefisso internazionale",
};
/** What may also be parts of a country, such as states. */
const WEAK_COUNTRY = {
  parts: "地区|地區",
  starts: "nationalit|nacionalid|nazionalit|staatsange|гражданств",
  words: "region|regions|regiao|regione|location|place|geo|territory|market",
};
/** Whose country isn't the phone's. */
const ELSEWHERE = {
  starts: "birth|born|geburt|naiss|nacimi|nascit|nascim|rozhd|destinat|origin|manufact|herkunft|visited",
  words: "passport|tax|made|id|numeric|m ?49",
};

const IS_PHONE = matcher(PHONE);
const IS_MOBILE = matcher(MOBILE);
const IS_ABOUT = matcher(ABOUT);
const IS_OTHER = matcher(OTHER);
const IS_COUNTRY = matcher(COUNTRY);
const IS_WEAK_COUNTRY = matcher(WEAK_COUNTRY);
const IS_ELSEWHERE = matcher(ELSEWHERE);
const IS_FAX = matcher(FAX);
const IS_OTHER_PERSON = matcher(OTHER_PERSON);
const IS_SECOND = matcher(SECOND);
/** A phone and a fax in one column. */
const PHONE_OR_FAX = /(?:tel|fon|phone)\p{L}*\W*(?:[/&+,|]|\b(?:und|and|or|oder|et|ou|y|o|e)\b)\s*\p{L}*fax/iu;

/** Whether a header names a column with phone numbers, in many languages. A fax isn't one. */
export function namesPhone(header: string): boolean {
  const words = wordsOf(header);
  if (namesFax(header)) return false;
  return IS_PHONE.test(words) && (!IS_ABOUT.test(words) || /caller id/.test(words)) && !isCountryOfPhone(words);
}

/** `Phone Country Code`: a country beside a number. */
function isCountryOfPhone(words: string): boolean {
  return IS_COUNTRY.test(words.replace(IS_PHONE, " "));
}

/** Whether a header names a country of phone numbers, and nothing else's. */
export function isOfPhone(header: string): boolean {
  return IS_PHONE.test(wordsOf(header));
}

/** Whether a header names fax numbers alone. */
export function namesFax(header: string): boolean {
  return IS_FAX.test(wordsOf(header)) && !PHONE_OR_FAX.test(header);
}

/** Whether a header names mobile numbers. */
export function namesMobile(header: string): boolean {
  return IS_MOBILE.test(wordsOf(header));
}

/** Whether a header names other numbers: identifiers, orders, postal codes, dates, amounts, faxes. */
export function namesOther(header: string): boolean {
  return IS_OTHER.test(wordsOf(header)) || namesFax(header);
}

/** How far a header is from the number of whom the row is about: 0 for it, 1 for one of second choice, 2 for another's. */
export function distanceOf(header: string): 0 | 1 | 2 {
  const words = wordsOf(header);
  if (IS_OTHER_PERSON.test(words)) return 2;
  return IS_SECOND.test(words) || IS_FAX.test(words) ? 1 : 0;
}

/** Whether a header names a country: "weak" for what may also be its parts. Others may share a word: `Land area`. */
export function namesCountry(header: string): "weak" | boolean {
  const words = wordsOf(header);
  if (IS_ELSEWHERE.test(words.replaceAll(/\b(?:iso|code|country)\b/g, "")) || IS_FAX.test(words)) return false;
  if (IS_PHONE.test(words) ? isCountryOfPhone(words) : IS_COUNTRY.test(words)) {
    return IS_WEAK_COUNTRY.test(words) && !/countr|land|pais|pays|nations?\b/.test(words) ? "weak" : true;
  }
  return IS_WEAK_COUNTRY.test(words) ? "weak" : false;
}

/** The words of a header that say whose number or country it is: `billing` of `Billing Phone`. */
export function qualifiersOf(header: string): ReadonlySet<string> {
  const words = wordsOf(header)
    .replaceAll(/(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/gu, " ")
    .split(" ");
  return new Set(words.filter((word) => !IS_PHONE.test(word) && !IS_COUNTRY.test(word) && !PLAIN.test(word)));
}
