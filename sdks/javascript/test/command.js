import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const KEY = "ch_test_AKeyOfTheCommandsTestsAndOfNoAccount";
export const PROGRAM = fileURLToPath(new URL("dist/cli.js", import.meta.resolve("checkline/package.json")));

/** Starts the packed command. `ended` resolves to its exit code and output. Null as the input leaves it open. */
export function start(args, { cwd, env = {}, input = "" } = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env: { ...process.env, ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin.on("error", () => {});
  if (input !== null) child.stdin.end(input);
  return { child, ended: once(child, "close").then(([exit]) => ({ exit, stdout, stderr })) };
}

/** A result as the service sends it. */
export function resultOf({ number, country }) {
  const valid = /^\+\d{8,}$|^0\d+/.test(number);
  return { valid, number, country_code: country ?? null, reason: valid ? null : "TOO_SHORT" };
}

/** A line that ends a stream. */
export function ending(status, code, more = {}) {
  return { error: "A sentence.", code, http_status: status, ended: true, ...more };
}

/**
 * A folder, and a service whose responses a test sets: `reply` gets each line of a request, and what it returns is the
 * line of the response. Null leaves the response open. `asked` has the lines, and `status` replaces the response.
 */
export async function openStage(t) {
  const folder = mkdtempSync(join(tmpdir(), "checkline-command-"));
  const stage = { folder, asked: [], keys: new Set(), reply: resultOf, status: null, requests: 0 };
  const server = createServer(async (request, response) => {
    stage.requests += 1;
    stage.keys.add(request.headers.authorization);
    let body = "";
    for await (const chunk of request) body += chunk;
    if (stage.status !== null) {
      const [status, code, headers = {}] = stage.status;
      response.writeHead(status, { "X-Request-Id": "req_1", ...headers });
      return response.end(JSON.stringify({ error: "A sentence.", code }));
    }
    response.writeHead(200, { "X-Request-Id": "req_1" });
    let text = "";
    for (const line of body.trimEnd().split("\n")) {
      const sent = JSON.parse(line);
      const reply = stage.reply(sent, stage.asked.length);
      if (reply === null) return response.write(text);
      if (!reply.ended) stage.asked.push(sent);
      text += `${JSON.stringify(reply)}\n`;
      if (reply.ended) break;
    }
    return response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  stage.url = `http://127.0.0.1:${server.address().port}`;
  const env = { CHECKLINE_API_KEY: KEY, CHECKLINE_BASE_URL: stage.url };
  stage.start = (args, more = {}) => start(args, { cwd: folder, ...more, env: { ...env, ...more.env } });
  stage.run = (args, more) => stage.start(args, more).ended;
  return stage;
}
