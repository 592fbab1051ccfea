import * as sdk from "checkline";
import { carryOut } from "../suite.js";

/** Runs the conformance case it receives, and responds with the report. */
async function report(request) {
  return Response.json(await carryOut(sdk, await request.json()));
}

/** A client without a key, on a platform without an environment. */
function withoutKey() {
  try {
    return new Response(String(new sdk.Checkline()), { status: 500 });
  } catch (error) {
    return new Response(`${typeof process} ${error}`);
  }
}

export default {
  fetch: (request) => (request.method === "POST" ? report(request) : withoutKey()),
};
