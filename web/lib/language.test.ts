import { expect, test } from "vitest";
import { SDK_PACKAGES } from "../../sdks/packages.ts";
import { LANGUAGES, parseLanguage, SDKS } from "./language.ts";

test("the SDKs are the languages that have one, by the SDK's name", () => {
  const named = LANGUAGES.flatMap(({ id, sdk }) => (sdk === null ? [] : [[id, sdk]]));
  expect(new Map(SDKS.map(({ language, label }) => [language, label]))).toEqual(new Map(named as [string, string][]));
});

test("the SDKs have the ids and names of the contract, in its order", () => {
  expect(SDKS.map(({ id, label }) => ({ id, label }))).toEqual(SDK_PACKAGES.map(({ id, label }) => ({ id, label })));
});

test.each(["", "cobol", "REST", "null", "constructor", '"python"', null])(
  "%j in storage is not a language",
  (value) => {
    expect(parseLanguage(value)).toBeNull();
  },
);

test("each language in storage is itself", () => {
  for (const { id } of LANGUAGES) expect(parseLanguage(id)).toBe(id);
});
