import { describe, expect, test } from "vitest";
import { mailboxOf, paidDomain, registrableDomain } from "./mailbox.ts";

describe("the mailbox of an address", () => {
  test.each([
    ["ada@example.com", "ada@example.com"],
    ["Ada@Example.COM", "ada@example.com"],
    ["ada+news@example.com", "ada@example.com"],
    ["ada+a+b@example.com", "ada@example.com"],
    ["a.d.a@example.com", "a.d.a@example.com"],
    ["a.d.a@gmail.com", "ada@gmail.com"],
    ["A.da+x.y@GoogleMail.com", "ada@gmail.com"],
    ["ada@mail.gmail.com", "ada@mail.gmail.com"],
    ["+ada@example.com", "ada@example.com"],
    ["++ada@example.com", "ada@example.com"],
    ["+ada+x@example.com", "ada@example.com"],
    ["++@example.com", "+@example.com"],
    ["ada-x@yahoo.com", "ada@yahoo.com"],
    ["ada-x-y+z@yahoo.co.uk", "ada@yahoo.co.uk"],
    ["-ada@ymail.com", "-ada@ymail.com"],
    ["ada-lovelace@example.com", "ada-lovelace@example.com"],
    ["anything@ada.fastmail.com", "ada@fastmail.com"],
    ["ada+x@fastmail.fm", "ada@fastmail.fm"],
    ["ada+x@me.com", "ada@icloud.com"],
    ["a.d-a_@pm.me", "ada@proton.me"],
    ["ada@sub.example.co.uk", "ada@sub.example.co.uk"],
    ["+@example.com", "+@example.com"],
  ])("%s", (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});

test.each([
  ["example.com", "example.com", "example.com"],
  ["a.b.example.co.uk", "example.co.uk", "example.co.uk"],
  ["ada.github.io", "ada.github.io", "github.io"],
  ["x.ada.pp.ua", "ada.pp.ua", "pp.ua"],
  ["com", "com", "com"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example", "xn--bcher-kva.example"],
])("the registrable domain of %s is %s, and the one paid for %s", (domain, registrable, paid) => {
  expect([registrableDomain(domain), paidDomain(domain)]).toStrictEqual([registrable, paid]);
});
