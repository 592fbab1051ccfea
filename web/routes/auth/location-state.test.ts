import { expect, test } from "vitest";
import { noticeIn, returnPath } from "./location-state.ts";

test.each([
  [{ pathname: "/dashboard/bulk" }, "/dashboard/bulk"],
  [
    { pathname: "/dashboard/reports", search: "?days=7", hash: "#top", state: null, key: "x" },
    "/dashboard/reports?days=7#top",
  ],
  [{ pathname: "/dashboard/../help" }, "/help"],
])("goes back to %o", (from, path) => {
  expect(returnPath({ from })).toBe(path);
});

test.each([
  null,
  undefined,
  "/dashboard/bulk",
  {},
  { from: null },
  { from: "https://elsewhere.example/" },
  { from: { pathname: "https://elsewhere.example/" } },
  { from: { pathname: "//elsewhere.example/" } },
  { from: { pathname: "/\\elsewhere.example/" } },
  { from: { pathname: "/\t/elsewhere.example/" } },
  { from: { pathname: "/.//elsewhere.example/" } },
  { from: { pathname: "javascript:alert(1)" } },
  { from: { pathname: "@elsewhere.example/" } },
  { from: { pathname: "/", search: 1 } },
  { from: { pathname: "/login" } },
  { from: { pathname: "/login/" } },
])("goes to the dashboard from %o", (state) => {
  expect(returnPath(state)).toMatch(/^\/(dashboard|@elsewhere\.example\/)$/);
});

test("accepts only a text as a notice", () => {
  expect([{ notice: 1 }, { notice: "Done.", kind: 1 }, {}, null].map(noticeIn)).toStrictEqual([null, null, null, null]);
  expect(noticeIn({ notice: "Done." })).toStrictEqual({ notice: "Done.", kind: "done" });
  expect(noticeIn({ notice: "Over.", kind: "ended", from: null })).toStrictEqual({ notice: "Over.", kind: "ended" });
});
