import libphonenumber from "google-libphonenumber";

export function answer(e164: string): string {
  const { PhoneNumberFormat, PhoneNumberUtil } = libphonenumber;
  const google = PhoneNumberUtil.getInstance();
  const number = google.parse(e164);
  const facts = [google.isValidNumber(number), google.getNumberType(number), google.getRegionCodeForNumber(number)];
  const formats = [PhoneNumberFormat.NATIONAL, PhoneNumberFormat.INTERNATIONAL].map((form) =>
    google.format(number, form),
  );
  return JSON.stringify([...facts, ...formats]);
}
