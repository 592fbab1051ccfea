import { expect, it } from "vitest";
import { REGISTER_RELEASES } from "../../../contract/data.ts";
import { run } from "../../../test/programs.ts";
import { registerEnds } from "./ending.ts";

const US = { source: "NANPA", date: "2026-07-06", unassigned_until: "2027-01-06" };

function warned(today: string, ended_known?: string): boolean {
  const rows = { US: ended_known === undefined ? {} : { ended_known } };
  return registerEnds(today, { US, MX: null }, rows)[0]!.isWarning;
}

it.each([
  ["2026-12-06", false],
  ["2026-12-07", true],
  ["2027-01-06", true],
  ["2027-01-07", true],
  ["2029-01-07", true],
])("on %s, a register of 2026 needs someone: %s", (today, isWarning) => {
  expect(warned(today)).toBe(isWarning);
});

it.each([
  ["2027-01-20", "2027-01-20", false],
  ["2027-01-20", "2027-04-20", false],
  ["2027-01-20", "2027-04-21", true],
  ["2027-01-20", "2027-01-19", true],
])("on %s, an end known until %s needs someone: %s", (today, known, isWarning) => {
  expect(warned(today, known)).toBe(isWarning);
});

it("says which, since when or until when, and whether it's known", () => {
  const text = (today: string, rows = {}) => registerEnds(today, { US }, rows)[0]!.text;
  expect(text("2027-01-06")).toBe("the register of 2026-07-06 calls numbers unassigned until 2027-01-06");
  expect(text("2027-01-07", { US: { ended_known: "2027-02-01" } })).toBe(
    "the register of 2026-07-06 has called no number unassigned since 2027-01-06, known until 2027-02-01",
  );
});

it("fails the weekly run for each, and passes while none ends", async () => {
  const ending = (day: string) => {
    const clock = `Date.now = () => ${Date.parse(day)};`;
    return run(process.execPath, ["--import", `data:text/javascript,${clock}`, "ending.ts"], {
      cwd: import.meta.dirname,
    });
  };
  const late = await ending("2050-01-01");
  expect(late.exit).toBe(1);
  const countries = Object.keys(REGISTER_RELEASES).filter((country) =>
    late.stderr.includes(`${country}: the register`),
  );
  expect(countries).toEqual(Object.keys(REGISTER_RELEASES));
  expect(await ending("2025-09-15")).toMatchObject({ exit: 0, stderr: "" });
});
