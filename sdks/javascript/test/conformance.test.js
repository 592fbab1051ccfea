import { inspect } from "node:util";
import * as sdk from "checkline";
import { testCases } from "./cases.js";
import { carryOut, textsOf } from "./suite.js";

function show(value) {
  return [...textsOf(value), inspect(value, { showHidden: true, getters: true, depth: Infinity })];
}

await testCases(process.env.CHECKLINE_RUN ?? "javascript", (each) => carryOut(sdk, each, show));
