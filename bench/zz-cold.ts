import { join } from "node:path";
import { bundle, startWorker } from "/tmp/w2/b19/bench/runtime.ts";
const B = "/tmp/w2/b19/bench/engine/cold/";
const WORKER = `export default { async fetch(request) { const { answer } = await import("./contender.js"); return new Response(answer(await request.text())); } };`;
const names = (process.argv[2] ?? "null,checkline,libphonenumber-js").split(",");
const runs = Number(process.argv[3] ?? 9);
const number = process.argv[4] ?? "+5511987654321";
const bs: any = {};
for (const n of names)
  bs[n] =
    n === "null"
      ? { code: "export function answer(x){return x}", data: new Map() }
      : await bundle(n.startsWith("/") ? n : join(B, n + ".ts"));
for (const n of names) console.log(n, bs[n].code.length);
const T: any = {};
for (let r = 0; r < runs; r++)
  for (const n of names) {
    const { code, data } = bs[n];
    const { runtime, url, spent } = await startWorker(
      { code: WORKER, data, modules: new Map([["contender.js", code]]) },
      { compatibilityDate: "2026-10-30" },
    );
    try {
      const s0 = spent();
      const s = performance.now();
      const res = await fetch(url, { method: "POST", body: number });
      const t = await res.text();
      const d = performance.now() - s;
      const c = (spent() - s0) / 1000;
      if (res.status !== 200) throw new Error(t);
      const s2 = performance.now();
      await (await fetch(url, { method: "POST", body: number })).text();
      (T[n] ??= []).push([d, c, performance.now() - s2]);
    } finally {
      await runtime.dispose();
    }
  }
const med = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1]!;
for (const n of names)
  console.log(
    n.padEnd(24),
    ...[0, 1, 2].map((i) =>
      med(T[n].map((x: any) => x[i]))
        .toFixed(2)
        .padStart(8),
    ),
  );
