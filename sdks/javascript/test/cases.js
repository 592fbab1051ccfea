import assert from "node:assert/strict";
import { describe, test } from "node:test";

const url = process.env.CHECKLINE_CONFORMANCE_URL;

/** One test per case of the conformance suite. `perform` runs a case and returns its report. */
export async function testCases(run, perform) {
  if (!url) {
    test(`conformance suite (${run})`, { skip: "CHECKLINE_CONFORMANCE_URL is not set: see npm run test:sdks" });
    return;
  }
  const { cases } = await (await fetch(`${url}/${run}`)).json();
  describe(`conformance suite (${run})`, { concurrency: 8 }, () => {
    for (const each of cases) {
      test(`${each.id}: ${each.title}`, async () => {
        const body = JSON.stringify(await perform(each));
        const { problems } = await (await fetch(`${url}/${run}/${each.id}`, { method: "POST", body })).json();
        assert.deepEqual(problems, []);
      });
    }
  });
}
