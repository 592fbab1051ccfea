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
  words: "mob|cell|cel|gsm|hp|sms|cep tel\\p{L}*|моб|сот",
};
const PHONE = {
  parts: `${MOBILE.parts}|phone|telefo|puhelin|rufnummer|fernsprech|телефон|τηλεφων|電話|电话|전화|연락처|โทร|هاتف|تليفون|تلفن|טלפון|फोन|फ़ोन|ফোন|e ?164`,
  starts: `${MOBILE.starts}|telef|đien thoai|dien thoai|telp`,
  words: `${MOBILE.words}|tel|tels|telf|tlf|tlfn|tfno|tfn|tfn?nr|fon|ph|sđt|sdt|contact (?:no|nr|number)|caller|dids?|ddis?|тел`,
};
/** About a number, with digits of its own: `phone_number_id`, `phone_verified_at`. */
const ABOUT = { words: "ids?|uuid|at$|on$|date|datum|timestamp|imei" };

/** Numbers that aren't for calling. */
const OTHER = {
  parts:
    "邮编|邮政|郵便|郵遞|우편|订单|訂單|注文|주문|编号|編號|番号|번호|身份证|почтов|индекс|заказ|дата|счет|сумм|цена|المعرف|תאריך",
  starts:
    "order|bestell|auftrag|pedido|commande|ordine|kunden|customer|client|account|konto|compte|cuenta|conto|conta(?!c|t)|invoice|rechnung|factur|fatura|fattura|post(?:al|code|leit|nummer|nr)|codigo postal|barcode|passport|created|updated|modified|birth|geburt|naiss|nacimi|latitud|longitud|amount|betrag|montant|importe|valor|total|price|preis|prix|precio|preco|umsatz|revenue|fax|kod poczt|zamow",
  words:
    "ids?|uuid|guid|no|nr|zip(?: ?code)?|plz|cap|cp|cep|pin(?: ?code)?|ip(?: address)?|ean|gtin|upc|isbn|asin|sku|iban|bic|vat|tax|ust|steuer|nif|cif|dni|cpf|cnpj|curp|rfc|nit|ssn|siren|siret|pesel|nip|date|datum|fecha|data|timestamp|time|lat|lon|lng|sum|qty|quantity|size|sn|serial|tracking|transaction|ref|reference",
};

const COUNTRY = {
  parts: "国家|國家|国名|國名|国コード|국가|나라|ประเทศ|دولة|الدولة|بلد|کشور|מדינה|ארץ",
  starts: "countr|lander|landkod|landcod|landskod|krajin|orszag|χωρα|стран|країн|држав|държав",
  words:
    "land|pais(?:es)?|pays|paesi?|nations?|nazion[ei]|kraj|zeme|stat|tara|ulke(?:si|ler)?|maa|riik|valsts|salis|drzava|zemlja|quoc gia|negara|nchi|देश|দেশ|国|國|iso ?(?:code|[23]|3166)?(?: ?(?:alpha )?[123])*",
};

const IS_PHONE = matcher(PHONE);
const IS_MOBILE = matcher(MOBILE);
const IS_ABOUT = matcher(ABOUT);
const IS_OTHER = matcher(OTHER);
const IS_COUNTRY = matcher(COUNTRY);

/** Whether a header names a column with phone numbers, in many languages. */
export function namesPhone(header: string): boolean {
  const words = wordsOf(header);
  return IS_PHONE.test(words) && (!IS_ABOUT.test(words) || /caller id/.test(words));
}

/** Whether a header names mobile numbers. */
export function namesMobile(header: string): boolean {
  return IS_MOBILE.test(wordsOf(header));
}

/** Whether a header names other numbers: identifiers, orders, postal codes, dates, amounts. */
export function namesOther(header: string): boolean {
  return IS_OTHER.test(wordsOf(header));
}

/** Whether a header names a country, in many languages. Others may share a word: `Land area`. */
export function namesCountry(header: string): boolean {
  const words = wordsOf(header);
  return IS_COUNTRY.test(words) && !IS_PHONE.test(words);
}
