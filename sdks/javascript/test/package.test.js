import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import * as imported from "checkline";
import { answer, clientOf, KEY, rejection } from "./answers.js";

const require = createRequire(import.meta.url);
const manifest = require("checkline/package.json");

describe("the package", () => {
  test("exports the same classes to import and to require", () => {
    const required = require("checkline");
    assert.deepEqual(Object.keys(required).toSorted(), Object.keys(imported).toSorted());
    for (const [name, value] of Object.entries(imported)) assert.equal(required[name], value, name);
  });

  test("has the same exports as plain ES modules, as used by browsers", async () => {
    const alone = await import(new URL("dist/esm/index.js", pathToFileURL(require.resolve("checkline/package.json"))));
    assert.deepEqual(Object.keys(alone), Object.keys(imported));
  });

  test("has no dependencies", () => {
    assert.deepEqual([manifest.dependencies, manifest.peerDependencies], [undefined, undefined]);
  });

  test("reports its version to the service", async () => {
    const { checkline, requests } = clientOf([answer()]);
    await checkline.verify("1");
    assert.equal(requests[0].headers["User-Agent"], `checkline-javascript/${manifest.version}`);
  });
});

describe("the key is not in any printed form of:", () => {
  function assertSilent(value) {
    const shown = inspect(value, { showHidden: true, getters: true, depth: Infinity, customInspect: false });
    const texts = [shown, inspect(value), String(value), JSON.stringify(value), JSON.stringify(structuredClone(value))];
    for (const text of [...texts, value.stack]) assert.ok(!text?.includes(KEY), text);
  }

  test("the client", () => {
    assertSilent(clientOf([answer()]).checkline);
  });

  for (const status of [200, 302, 401, 402, 404, 429, 500]) {
    test(`the error of a response ${status} that is not the service's`, async () => {
      const { checkline } = clientOf([answer(status, `Bearer ${KEY}`)], { maxRetries: 0 });
      assertSilent(await checkline.lookup("1").catch((error) => error));
    });
  }

  test("the result, and an error of the service", async () => {
    const { checkline } = clientOf([answer(), rejection(401)]);
    assertSilent(await checkline.lookup("1"));
    assertSilent(await checkline.lookup("1").catch((error) => error));
  });
});
