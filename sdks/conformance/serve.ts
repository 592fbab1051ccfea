import { createKey } from "../../test/factories.ts";
import { openWorker } from "../../test/worker.ts";
import { openSuite } from "./suite.ts";
import { workerCases } from "./worker-cases.ts";

/** Serves the suite until interrupted, for running one SDK's tests manually: node sdks/conformance/serve.ts */
const worker = await openWorker();
const suite = await openSuite({ workerCases: () => workerCases(worker.db), workerUrl: worker.url });
console.log(`CHECKLINE_CONFORMANCE_URL=${suite.url}`);
console.log(`CHECKLINE_BASE_URL=${worker.url.replace(/\/$/, "")}`);
console.log(`CHECKLINE_API_KEY=${await createKey(worker.db, "test")}`);

process.once("SIGINT", () => void suite.close().then(() => worker.close()));
process.once("SIGTERM", () => void suite.close().then(() => worker.close()));
