import { expect, test } from "vitest";
import { pathOf, post } from "../requests.ts";
import { from } from "../attempts.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();

test("emails that a stranger's network makes wait leave a newcomer's mailbox some", async () => {
  const isolate = await network.isolate();
  const register = async (email: string, address: string) => {
    const body = { name: "S", email, password: "a password nobody guesses" };
    return (await isolate.fetch(pathOf("register"), post(null, body, from(address)))).status;
  };
  for (let n = 0; n < 10; n++) await register(`junk${n}@junk${n}.example`, "203.0.113.7");
  network.emails.length = 0;
  for (let n = 0; n < 7; n++) await register("newcomer@victim.example", "203.0.113.7");
  expect(network.emails.every(({ counts }) => counts !== undefined)).toBe(true);
  network.emails.length = 0;
  expect(await register("newcomer@victim.example", "198.51.100.1")).toBe(201);
  expect(network.emails).toMatchObject([{ purpose: "verify_email", user_id: expect.any(String) }]);
  expect(network.emails[0]).not.toHaveProperty("counts");
});
