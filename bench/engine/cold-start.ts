import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Bundle, bundle, startWorker } from "../../test/runtime.ts";
import { timingRows } from "../results.ts";

const NAMES = ["checkline", "libphonenumber-js", "google-libphonenumber", "awesome-phonenumber"];
const NUMBER = "+5511987654321";

/**
 * In a separate Node process, milliseconds of CPU time: to load a contender and get its first result, and how much
 * longer that result alone took than the hundredth.
 */
const NODE_PROGRAM = `
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const started = spent();
const { answer } = await import(process.argv[1]);
const times = [spent()];
for (let call = 0; call < 100; call++) { answer(process.argv[2]); times.push(spent()); }
console.log(JSON.stringify([times[1] - started, times[1] - times[0] - (times[100] - times[99])]));`;

/** The first request loads the contender, since a module is evaluated on import. */
const WORKER = `
export default {
  async fetch(request) {
    const { answer } = await import("./contender.js");
    return new Response(answer(await request.text()));
  },
};`;

/** Loading and the first result, in Node and in workerd; contenders take turns, each from scratch. */
export async function timeColdStarts(runs: number): Promise<object[]> {
  const contenders = await Promise.all(
    NAMES.map(async (name) => {
      const bundled = await bundle(join(import.meta.dirname, `cold/${name}.ts`));
      const path = await writeForNode(bundled);
      return { name, bundled, path, inNode: [] as number[], firstInNode: [] as number[], inWorkerd: [] as number[] };
    }),
  );
  try {
    for (let run = 0; run < runs; run++) {
      for (const { bundled, path, inNode, firstInNode, inWorkerd } of contenders) {
        const [cold, first] = await firstAnswerInNode(path);
        inNode.push(cold);
        firstInNode.push(first);
        inWorkerd.push(await firstAnswerInWorkerd(bundled));
      }
    }
  } finally {
    await Promise.all(contenders.map(({ path }) => rm(dirname(path), { recursive: true })));
  }
  const rows = (task: string, part: "inNode" | "firstInNode" | "inWorkerd") =>
    timingRows(
      task,
      contenders.map((contender) => ({ name: contender.name, times: contender[part].map((time) => time * 1e6) })),
    );
  return [
    ...rows("cold start in Node, CPU time", "inNode"),
    ...rows("first result less the hundredth, loaded, in Node", "firstInNode"),
    ...rows("cold start in workerd, first request", "inWorkerd"),
  ];
}

/** Writes a bundle for Node, where it reads its data files itself; returns the path to import. */
async function writeForNode({ code, data }: Bundle): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "checkline-bench-"));
  for (const [file, bytes] of data) await writeFile(join(folder, file), bytes);
  const reading = code.replaceAll(
    /import (\w+) from"(\.\/[\w-]+\.(bin|jsonl))";/g,
    (_, name: string, path: string, kind: string) => {
      const read = `readFileSync(new URL("${path}",import.meta.url)`;
      return `const ${name}=${kind === "bin" ? `new Uint8Array(${read})).buffer` : `${read},"utf8")`};`;
    },
  );
  const file = join(folder, "bundle.mjs");
  await writeFile(file, `import{readFileSync}from"node:fs";${reading}`);
  return file;
}

async function firstAnswerInNode(path: string): Promise<[cold: number, first: number]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    NODE_PROGRAM,
    path,
    NUMBER,
  ]);
  return JSON.parse(stdout) as [number, number];
}

/** Milliseconds of a new isolate's first request. */
async function firstAnswerInWorkerd({ code, data }: Bundle): Promise<number> {
  const contender = { code: WORKER, data, modules: new Map([["contender.js", code]]) };
  const { runtime, url } = await startWorker(contender, { compatibilityDate: "2026-10-30" });
  try {
    const started = performance.now();
    const response = await fetch(url, { method: "POST", body: NUMBER });
    const text = await response.text();
    const time = performance.now() - started;
    if (response.status !== 200) throw new Error(`A contender answered ${response.status}: ${text}`);
    return time;
  } finally {
    await runtime.dispose();
  }
}
