import { expect, test } from "vitest";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { openApiDocument } from "../../contract/openapi.ts";
import { ORIGIN } from "../../contract/origin.ts";
import { VerificationResult } from "../../contract/verification.ts";
import { API_CHANGELOG } from "./changelog.ts";

test("begins with the version of the OpenAPI document, which links to it", () => {
  expect(openApiDocument()).toMatchObject({
    info: { version: API_CHANGELOG[0].version },
    externalDocs: { url: `${ORIGIN}/docs/changelog` },
  });
});

test("is in order, newest first, with changes for every version", () => {
  const keys = API_CHANGELOG.map(({ version }) =>
    version
      .split(".")
      .map((part) => part.padStart(4, "0"))
      .join("."),
  );
  expect(keys).toStrictEqual([...new Set(keys)].toSorted().toReversed());
  const dates = API_CHANGELOG.map(({ date }) => date);
  expect(dates).toStrictEqual(dates.toSorted().toReversed());
  for (const { date, changes } of API_CHANGELOG) {
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    expect(changes.length).toBeGreaterThan(0);
  }
});

test("lists every result field, each in the version that added it", () => {
  const listed = API_CHANGELOG.toReversed().flatMap(({ fields = [] }) => fields);
  expect(listed.toSorted()).toStrictEqual(Object.keys(VerificationResult.entries).toSorted());
});

test("mentions every call that accepts an API key, and none that doesn't exist", () => {
  const text = API_CHANGELOG.flatMap(({ changes }) => changes.map((change) => change.text)).join("\n");
  const named = [...text.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, call]) => call!);
  const calls = ENDPOINTS.map(({ method, path, credential }) => ({
    call: `${method.toUpperCase()} ${path}`,
    credential,
  }));
  const withKey = calls
    .filter(({ credential }) => credential === "key" || credential === "any")
    .map(({ call }) => call);
  expect(withKey.filter((call) => !named.includes(call))).toStrictEqual([]);
  expect(named.filter((name) => !calls.some(({ call }) => call === name))).toStrictEqual([]);
});
