import { describe, expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

describe("a stored password", () => {
  test("matches its password and no other", async () => {
    const stored = await hashPassword("correct horse battery staple");
    expect(await verifyPassword("correct horse battery staple", stored)).toBe(true);
    expect(await verifyPassword("correct horse battery stapl", stored)).toBe(false);
    expect(await verifyPassword("", stored)).toBe(false);
  });

  test("contains its cost and not the password, and differs every time", async () => {
    const [first, second] = await Promise.all([hashPassword("password"), hashPassword("password")]);
    expect(first).toMatch(/^scrypt\$16384\$8\$5\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(first).not.toBe(second);
  });

  test("is checked at the cost it was stored with", async () => {
    // RFC 7914, section 12: scrypt("pleaseletmein", "SodiumChloride", 16384, 8, 1), first 32 bytes.
    const hash = "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2";
    const salt = Buffer.from("SodiumChloride").toString("base64");
    const stored = `scrypt$16384$8$1$${salt}$${Buffer.from(hash, "hex").toString("base64")}`;
    expect(await verifyPassword("pleaseletmein", stored)).toBe(true);
    expect(await verifyPassword("pleaseletmeout", stored)).toBe(false);
  });

  test("is the same however its accents are encoded", async () => {
    const stored = await hashPassword("caf\u00e9-caf\u00e9");
    expect(await verifyPassword("cafe\u0301-cafe\u0301", stored)).toBe(true);
  });

  test("in an unknown format is an error, not a wrong password", async () => {
    await expect(verifyPassword("x", "bcrypt$whatever")).rejects.toThrow("unknown form");
  });
});
