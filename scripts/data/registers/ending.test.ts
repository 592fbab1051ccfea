import { expect, it } from "vitest";
import { REGISTER_RELEASES } from "../../../contract/data.ts";
import { run } from "../../../test/programs.ts";
import { endingSoon } from "./ending.ts";

const registers = {
  US: { source: "NANPA", date: "2026-07-06", unassigned_until: "2027-01-06" },
  CA: { source: "CNAC", date: "2025-09-12", unassigned_until: "2025-12-12" },
  MX: null,
};

it.each([
  ["2026-12-06", 0],
  ["2026-12-07", 1],
  ["2027-01-06", 1],
  ["2027-01-07", 0],
])("on %s, %i registers end soon; one that has ended is quiet", (today, count) => {
  expect(endingSoon(registers, today)).toHaveLength(count);
});

it("says which, and until when", () => {
  expect(endingSoon(registers, "2026-12-20")).toEqual([
    "US: the register of 2026-07-06 calls no number unassigned after 2027-01-06. Get a newer one.",
  ]);
});

it("fails the weekly run in the last month, and only then", async () => {
  const ending = (day: string) => {
    const clock = `Date = class extends Date { constructor() { super("${day}"); } }`;
    return run(process.execPath, ["--import", `data:text/javascript,${clock}`, "ending.ts"], {
      cwd: import.meta.dirname,
    });
  };
  const { unassigned_until } = REGISTER_RELEASES.US!;
  expect(await ending(unassigned_until)).toMatchObject({
    exit: 1,
    stderr: expect.stringMatching(/^US: .*newer one\.$/m),
  });
  expect(await ending("2050-01-01")).toMatchObject({ exit: 0, stderr: "" });
});
