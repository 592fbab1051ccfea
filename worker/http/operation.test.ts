import { expect, test } from "vitest";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
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
  ["me", "requireSession readInput"],
  ["deleteAccount", "requireSession requirePassword readInput"],
  ["health", "readInput"],
])("the steps of %s", (id, steps) => {
  expect(stepNames(id).join(" ")).toBe(steps);
});
