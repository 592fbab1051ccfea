import { expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { service } from "../../contract/endpoints/service.ts";
import { stepsOf } from "./operation.ts";

/** The names of an operation's steps, in order. */
function stepNames(id: string): string[] {
  return stepsOf(ENDPOINTS.find((endpoint) => endpoint.id === id)!).map(({ name }) => name);
}

test.each([
  ["verify", "allowAnyOrigin checkDeclaredSize requireApiKey countRequest readInput recheckApiKey"],
  ["verifyStream", "allowAnyOrigin requireApiKey countRequest checkMediaType"],
  ["verifyFromDashboard", "checkDeclaredSize requireSession findDashboardKey countRequest readInput"],
  ["quota", "allowAnyOrigin rejectHead requireKeyOrSession countRequest readInput recheckApiKey"],
  ["demoLookup", "requireOwnPage checkDeclaredSize checkAddress readInput countAddress"],
  ["register", "checkDeclaredSize checkAddress readInput countAddress"],
  ["me", "requireSession countCall readInput"],
  ["renameAccount", "checkDeclaredSize requireSession countCall readInput countChange"],
  ["deleteAccount", "requireSession countCall requirePassword readInput"],
  ["verifyEmail", "rejectHead checkAddress readInput countAddress"],
  ["health", "checkAddress readInput countAddress"],
])("the steps of %s", (id, steps) => {
  expect(stepNames(id).join(" ")).toBe(steps);
});

test.each(ENDPOINTS.map(({ id, credential, rate }) => ({ id, credential, rate })))(
  "$id is counted for whom its credential names: $rate",
  ({ id, credential, rate }) => {
    expect(rate).toMatch(credential === "none" ? / by address$/ : / by account$/);
    const counts = { key: "countRequest", any: "countRequest", session: "countCall", none: "checkAddress" };
    const isDashboardRequest = credential === "session" && rate === "requests by account";
    expect(stepNames(id)).toContain(isDashboardRequest ? "countRequest" : counts[credential]);
  },
);

test("an operation that is not counted is a type error", () => {
  const { rate, ...uncounted } = service.health;
  expect(rate).toBe("documents by address");
  // @ts-expect-error: `rate` is missing
  expect(endpoints({ health: uncounted })).toStrictEqual({ health: uncounted });
  // @ts-expect-error: nothing counts it
  expect(endpoints({ health: { ...uncounted, rate: "none" } })).toHaveProperty("health.rate", "none");
});
