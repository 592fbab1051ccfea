import { describe, expect, test } from "vitest";
import { ChangePasswordRequest, LoginRequest } from "./accounts.ts";
import { checkBody } from "./body.ts";
import commonPasswords from "./common-passwords.txt";
import { guessableComplaint } from "./passwords.ts";

/** The complaint about a new password, or null. */
function complaint(new_password: unknown): string | null {
  const check = checkBody(ChangePasswordRequest, { old_password: "the old one", new_password });
  return check.ok ? null : check.fields["new_password"]!;
}

const SHORT = "Password must be at least 8 characters";
const LONG = "Password must be at most 256 characters";
const FAMILY = "👩‍👩‍👧‍👦";

describe("a new password", () => {
  test.each<[string, unknown, string | null]>([
    ["nothing", "", SHORT],
    ["seven characters", "7 chars", SHORT],
    ["eight", "8 chars!", null],
    ["seven code points in fourteen UTF-16 units", "🙂🙃🙂🙃🙂🙃🙂", SHORT],
    ["eight code points", "🙂🙃🙂🙃🙂🙃🙂🙃", null],
    ["seven code points that look like one character", FAMILY, SHORT],
    ["256 code points in twice as many units", "🙂🙃".repeat(128), null],
    ["257 code points", `${"🙂🙃".repeat(128)}!`, LONG],
    ["a line feed", "a password\nof two lines", "Password must not contain control characters"],
    ["a zero byte", "a password\u0000", "Password must not contain control characters"],
    ["spaces", " ".repeat(12), "Password must not be only spaces"],
    ["spaces of other kinds", "\u00a0\u2003\u3000 \u00a0\u2003\u3000 ", "Password must not be only spaces"],
    ["characters nobody sees", "\u200b".repeat(4) + "\u200d".repeat(4), "Password must not be only spaces"],
    ["one letter repeated", "aaaaaaaa", "Password must not be one character repeated"],
    ["one emoji repeated", "🙂".repeat(9), "Password must not be one character repeated"],
    ["two letters repeated", "abababab", null],
    ["spaces between words", "  two words  ", null],
    ["letters of any script", "пароль длинный", null],
    ["a number", 12_345_678, "Must be a string"],
  ])("of %s", (_, password, expected) => {
    expect(complaint(password)).toBe(expected);
  });
});

test("any password that could once be chosen may be given, and none that is too long", () => {
  const fields = (password: string) => {
    const check = checkBody(LoginRequest, { email: "ada@example.com", password });
    return check.ok ? null : check.fields;
  };
  expect(fields("short")).toBeNull();
  expect(fields("🙂🙃".repeat(128))).toBeNull();
  expect(fields("")).toStrictEqual({ password: "Password is required" });
  expect(fields("x".repeat(257))).toStrictEqual({ password: LONG });
});

describe("an easily guessed password", () => {
  const OWNER = { email: "ada.lovelace@example.com", name: "Ada  Lovelace" };
  const common = new Set(commonPasswords.split("\n"));
  const guess = (password: string, owner = OWNER) => guessableComplaint(password, owner, (known) => common.has(known));

  test.each([
    ["ada.lovelace@example.com", "Password is too close to your email address"],
    ["ADA.LOVELACE@EXAMPLE.COM", "Password is too close to your email address"],
    ["ada.lovelace", "Password is too close to your email address"],
    ["Checkline", "Password is too close to the name of this service"],
    ["check-line!", "Password is too close to the name of this service"],
    ["ｃｈｅｃｋｌｉｎｅ", "Password is too close to the name of this service"],
    ["password", "This password is too common. Choose another one"],
    ["PassWord1", "This password is too common. Choose another one"],
    ["ｐａｓｓｗｏｒｄ", "This password is too common. Choose another one"],
    ["qwertyuiop", "This password is too common. Choose another one"],
    ["checkline1", "Password is too close to the name of this service"],
    ["1Checkline2026!", "Password is too close to the name of this service"],
    ["ch3ckl1ne", "Password is too close to the name of this service"],
    ["Ch3ck-L!n3", "Password is too close to the name of this service"],
    ["ada.lovelace.1815", "Password is too close to your email address"],
    ["@d@.l0vel4ce", "Password is too close to your email address"],
    ["adaLovelace example com", "Password is too close to your email address"],
    ["lovelace1", "Password is too close to your email address"],
    ["20262026", null],
    ["adalovelace engine", null],
    ["checklines everywhere", null],
    ["correct horse battery staple", null],
    ["password password", null],
  ])("%s", (password, expected) => {
    expect(guess(password)).toBe(expected);
  });

  test("is the owner's name in any spelling", () => {
    const owner = { email: "a@example.com", name: "Grace Hopper" };
    for (const password of ["Grace Hopper", "gracehopper", "grace_hopper", "gr4c3h0pp3r", "Hopper1906", "grace123!"]) {
      expect(guess(password, owner)).toBe("Password is too close to your name");
    }
  });

  test("is not one of symbols or digits only, though a name could be the same", () => {
    expect(guess("48151623", { email: "4815@example.com", name: "4815" })).toBeNull();
    expect(guess("!?!?!?!?!", { email: "--@example.com", name: "🙂" })).toBeNull();
  });

  test("that is too short gets only that complaint", () => {
    expect(guess("Ada", { email: "ada@example.com", name: "Ada" })).toBeNull();
    expect(guess("qwerty")).toBeNull();
  });
});
