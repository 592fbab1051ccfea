import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { experimental_getWranglerCommands as wranglerCommands } from "wrangler";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { parseInvocation } from "../../scripts/admin/arguments.ts";
import { checkPublicAddress } from "../../scripts/admin/public-address.ts";
import { parseArguments } from "../../scripts/arguments.ts";
import { main as deploy } from "../../scripts/deploy.ts";
import { ROOT } from "../../scripts/local/run.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { runAdmin } from "../admin.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";

// Of the operator's documents, commands without † run here. Those with † need an account, a download, or a toolchain:
// they are parsed as far as the program declares its arguments, and those of admin run on the local database.

const worker = startWorker();
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const CI = [".ci/run", ...globSync(".github/workflows/*.yml", { cwd: ROOT })].map(read).join("\n");

interface Written {
  readonly command: string;
  readonly isMarked: boolean;
}

/** The commands in a document's fences, a line each, and in its text. */
function commandsIn(text: string): Written[] {
  const fence = /^ *```\w*\n([^]*?)^ *```$/gm;
  const lines = [...text.matchAll(fence)].flatMap(([, block]) => block!.split("\n"));
  const inText = text.replaceAll(fence, "").matchAll(/`((?:npm|npx|node|curl) [^`]+)`(†?)/g);
  return [
    ...lines.map((line) => {
      const [command = "", comment = ""] = line.trim().split(/ +# /);
      return { command: command.replace(/^([A-Z\d_]+=("[^"]*"|\S+) )+/, ""), isMarked: comment.includes("†") };
    }),
    ...[...inText].map(([, command, mark]) => ({ command: command!, isMarked: mark === "†" })),
  ].filter(({ command }) => /^(npm|npx|node|curl) /.test(command));
}

/** Runs an operator's command line, with --remote too, on this worker, with a fresh account. */
async function runOnAccount(args: readonly string[], isMarked: boolean): Promise<void> {
  const { id, email } = await createSignedIn(worker.db);
  const key = await insertApiKey({ db: worker.db, now: Date.now(), userId: id, mode: "live", name: "Server" });
  const values = { EMAIL: email, KEY_ID: key.id, PLAN: "pro", DAY: "2030-12-31", "https://YOUR-DOMAIN": worker.url };
  if (args[0] === "create") values.EMAIL = `new-${email}`;
  const line = args.map((word) => values[word as keyof typeof values] ?? word);
  const { command, remote } = parseInvocation(line);
  if (remote !== null) expect(isMarked, "† of a command with --remote").toBe(true);
  if (command === null) return;
  if (command.name === "public-health") {
    expect(await checkPublicAddress(command.origin)).toMatchObject({ isFine: true });
  } else await runAdmin(worker, ...line);
}

/** Lets the deployment print its plan, and start nothing. */
function planDeployment(args: readonly string[]): Promise<void> {
  const refuse = () => Promise.reject(new Error("A dry run starts nothing"));
  const io = { env: {}, run: refuse, fetch: refuse, sleep: refuse, print: () => {} };
  return deploy([...new Set([...args, "--dry-run"])], io);
}

async function npmScript(name: string, args: readonly string[], isMarked: boolean): Promise<void> {
  const script = manifest.scripts[name as keyof typeof manifest.scripts];
  expect(script, "an npm script").toBeDefined();
  if (name === "admin") return runOnAccount(args, isMarked);
  if (name === "deploy") {
    if (!args.includes("--dry-run")) expect(isMarked, "† of a deployment").toBe(true);
    return planDeployment(args);
  }
  if (isMarked) {
    const source = read(script.replace("node ", ""));
    for (const word of args.filter((each) => each.startsWith("--")))
      expect(source).toMatch(new RegExp(`${word}(?![\\w-])`));
  } else expect(`${CI}\n${Object.values(manifest.scripts).join("\n")}`).toContain(`npm run ${name}`);
}

interface WranglerNode {
  readonly subtree: ReadonlyMap<string, WranglerNode>;
  readonly definition?: {
    readonly args?: Readonly<Record<string, { readonly type?: string; readonly demandOption?: boolean }>>;
    readonly positionalArgs?: readonly string[];
  };
}

/** Parses a command line with the pinned wrangler's own declarations. */
function parseWrangler(args: readonly string[]): void {
  const { registry, globalFlags } = wranglerCommands();
  let node = registry as unknown as WranglerNode;
  const rest = [...args];
  for (let next = node.subtree.get(rest[0]!); next !== undefined; next = node.subtree.get(rest[0] ?? "")) {
    node = next;
    rest.shift();
  }
  const { args: own, positionalArgs = [] } = node.definition ?? {};
  expect(own, `wrangler ${args.join(" ")}`).toBeDefined();
  const declared = Object.entries({ ...(globalFlags as unknown as typeof own), ...own });
  const options = declared.map(([name, { type }]) => [name, { type: type === "boolean" ? type : "string" }] as const);
  const { positionals } = parseArguments({
    args: rest.map((word) => word.replace(/=(true|false)$/, "")),
    options: Object.fromEntries(options),
    allowPositionals: true,
  });
  const required = positionalArgs.filter((name) => own![name]?.demandOption);
  expect(positionals.length, args.join(" ")).toBeGreaterThanOrEqual(required.length);
  if (positionalArgs.length === 0) expect(positionals).toStrictEqual([]);
}

async function check({ command, isMarked }: Written): Promise<void> {
  const [program, first = "", ...rest] = command.match(/"[^"]*"|\S+/g)!;
  if (program === "curl") {
    expect((await worker.fetch(first.replace("https://YOUR-DOMAIN", ""))).status).toBe(200);
  } else if (program === "npx") {
    expect([first, isMarked], "† of wrangler").toStrictEqual(["wrangler", true]);
    parseWrangler(rest);
  } else if (first === "run") {
    const [name = "", separator = "--", ...args] = rest;
    expect(separator).toBe("--");
    await npmScript(name, args, isMarked);
  } else expect(CI, "a command that CI runs").toContain(command);
}

const WRITTEN = ["docs/runbook.md", "docs/operator.md"].flatMap((path) => commandsIn(read(path)));
const distinct = [...new Map(WRITTEN.map((written) => [`${written.command}${written.isMarked ? "†" : ""}`, written]))];

test.each(distinct)("%s", async (_, written) => {
  await check(written);
});

test("commands are found in fences and in text, and those that don't exist are noticed", async () => {
  expect(distinct.length).toBeGreaterThan(50);
  const text =
    "`npm run admin -- frob`, `npm run admin -- list --remote`\n```sh\nA=b npx wrangler tail --frob   # † c\n```\n";
  const commands = commandsIn(text);
  expect(commands.map(({ isMarked }) => isMarked)).toStrictEqual([true, false, false]);
  const others = ["npx wrangler frob", "npx wrangler d1 export", "npm run frob", "npm run data -- --frob", "npm frob"];
  for (const written of [...commands, ...others.map((command) => ({ command, isMarked: true }))]) {
    await expect(check(written), written.command).rejects.toThrow();
  }
});
