import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import type { CloudflareAccount } from "../../test/cloudflare-account.ts";
import { writeProjectConfig } from "../../test/wrangler-config.ts";
import { ROOT } from "../local/run.ts";

const CONFIG = writeProjectConfig();

interface Outcome {
  readonly failure: string;
  readonly before: ReturnType<CloudflareAccount["contents"]>;
  readonly after: ReturnType<CloudflareAccount["contents"]>;
  /** Files for wrangler that are there still. */
  readonly left: readonly string[];
}

/** Deploys in a process of its own and sends it signals at a moment. Returns what it said then, and what came of it. */
async function stopAt(
  moment: string,
  signals: readonly NodeJS.Signals[],
): Promise<Outcome & { readonly said: string }> {
  const program = join(ROOT, "test/stopped-deployment.ts");
  const child = spawn(process.execPath, [program, CONFIG, moment], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.length === 0) for (const signal of signals) child.kill(signal);
    lines.push(line);
  }
  return { said: lines[0]!, ...(JSON.parse(lines.at(-1)!) as Outcome) };
}

describe("a deployment that is stopped", () => {
  test("while it builds has changed nothing", async () => {
    const { failure, before, after } = await stopAt("build", ["SIGTERM"]);
    expect(failure).toBe("Stopped by SIGTERM.\n\nNothing was deployed, and nothing was changed.");
    expect(after).toStrictEqual(before);
  });

  test("while it uploads keeps no secret on the disk and no account of the test", async () => {
    const { said, failure, after, left } = await stopAt("upload", ["SIGINT"]);
    expect(said).toBe("uploading with 2 files");
    expect(failure).toMatch(/^Stopped by SIGINT\.\n\nThis was the first deployment/);
    expect(left).toStrictEqual([]);
    expect(after.databases).toMatchObject([{ users: 0 }]);
    expect(after.databases[0]!.applied).not.toStrictEqual([]);
  });

  test("while it watches gives the traffic back, however often it is told to stop", async () => {
    const { said, failure, before, after } = await stopAt("watch", ["SIGINT", "SIGINT", "SIGTERM"]);
    expect(said).toBe("watching");
    expect(failure).toMatch(/^Stopped by SIG(INT|TERM)\.\n\nRolled back: version \S+ answers again, tested at /);
    expect(Object.values(after.traffic["checkline"]!)).toStrictEqual([100]);
    expect(after).toStrictEqual(before);
  });
});
