import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { run } from "../../test/programs.ts";
import { UsageError } from "../arguments.ts";
import { ROOT } from "../local/run.ts";
import { newestSettled, refresh } from "./refresh.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "data-refresh-"));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

function put(path: string, text: string): string {
  const target = join(directory, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return target;
}

describe("refreshing", () => {
  const METADATA = "<phoneNumberMetadata><territories/></phoneNumberMetadata>";

  function resources(release: string): string {
    put("libphonenumber/release_notes.txt", `Jul 16, 2026: libphonenumber-${release}\n`);
    put("libphonenumber/resources/carrier/en/41.txt", "4178|Salt\n");
    put("libphonenumber/resources/geocoding/en/41.txt", "4143|Zurich\n");
    put("libphonenumber/resources/PhoneNumberMetadata.xml", METADATA);
    put("libphonenumber/resources/ShortNumberMetadata.xml", METADATA);
    return join(directory, "libphonenumber/resources");
  }
  const REGISTRY = JSON.stringify({
    versions: ["1.13.99", "1.14.0", "1.14.1"],
    time: {
      "1.13.99": "2026-01-01T00:00:00Z",
      "1.14.0": "2026-01-02T00:00:00Z",
      "1.14.1": new Date(Date.now() - 86_400_000).toISOString(),
    },
  });
  function commandsOf(args: readonly string[], failing = "nothing"): string[] {
    const commands: string[] = [];
    refresh(args, (command, words, env) => {
      const line = [command === process.execPath ? "node" : command, ...words].join(" ");
      if (line.startsWith(failing)) throw new Error(`${command} failed.`);
      commands.push(env === undefined ? line : `${line} with ${JSON.stringify(env)}`);
      return command === "npm" && words[0] === "view" ? REGISTRY : "";
    });
    return commands;
  }

  test("from a folder uses the newest plans, the folder's data, and the plans to compare it with, and runs the tests", () => {
    const folder = resources("9.0.35");
    expect(commandsOf(["--from", folder])).toEqual([
      "npm view libphonenumber-js versions time --json",
      "npm install --save-exact libphonenumber-js@1.14.0",
      "npm install --save-dev --save-exact libphonenumber-js-of-resources@npm:libphonenumber-js@1.13.9",
      `node scripts/data.ts --from ${folder} --download`,
      "npx vitest run --project unit web/content scripts/data/coverage -u",
      `npx vitest run --project unit --project oracle scripts/data worker/phone with ${JSON.stringify({ LIBPHONENUMBER_RESOURCES: folder })}`,
    ]);
  });

  test("takes the newest version that is seven days old, and never goes back", () => {
    const NOW = Date.parse("2026-11-26T12:00:00Z");
    const newestOf = (time: Record<string, string>, installed = "1.13.8", withdrawn = "none") => {
      const versions = Object.keys(time).filter((version) => version !== withdrawn && /\d/.test(version));
      return newestSettled(JSON.stringify({ versions, time }), installed, NOW);
    };
    const times = {
      created: "2016-01-01T00:00:00Z",
      modified: "2026-11-26T11:00:00Z",
      "1.13.9": "2026-10-01T00:00:00Z",
      "1.13.10": "2026-11-19T12:00:00Z",
      "1.13.11": "2026-11-19T12:00:01Z",
      "1.13.12": "2026-11-26T11:00:00Z",
      "2.0.0-beta.1": "2026-01-01T00:00:00Z",
    };
    expect(newestOf(times)).toBe("1.13.10");
    expect(newestOf(times, "1.13.8", "1.13.10")).toBe("1.13.9");
    expect(newestOf(times, "1.13.11")).toBe("1.13.11");
    expect(newestOf({ "1.13.12": "2026-11-26T11:00:00Z" })).toBe("1.13.8");
  });

  test("does not wait for libphonenumber-js", () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const commands = commandsOf(["--from", resources("99.0.0")]);
    expect(commands.filter((command) => command.includes("of-resources"))).toEqual([]);
    expect(console.log).toHaveBeenCalledWith("No libphonenumber-js has 99.0.0 yet.");
  });

  test("stops at the first failure", () => {
    const folder = resources("9.0.35");
    expect(() => commandsOf(["--from", folder], "node scripts/data.ts")).toThrow("failed.");
    expect(() => commandsOf(["--from", join(directory, "nowhere")])).toThrow("nowhere");
    // ls-remote's output has no release.
    expect(() => commandsOf([])).toThrow("has no release");
    expect(() => commandsOf(["--form", folder])).toThrow(UsageError);
  });
});

describe("proposing", () => {
  const git = (args: string) => run("git", args.split(" "), { cwd: join(directory, "clone") });

  /** A clone of a repository with the files that the script touches, and a gh that records its calls. */
  beforeEach(async () => {
    put("clone/contract/data-manifest.json", manifestOf("9.0.35"));
    put("clone/worker/phone/data/carrier.jsonl", "old");
    put("clone/package.json", "{}");
    put("clone/package-lock.json", "{}");
    put("clone/build/data-changes.md", "## carrier.jsonl\n\n- +41 Switzerland: 1 new\n");
    put("clone/.gitignore", "build/\n");
    cpSync(join(ROOT, ".ci"), join(directory, "clone/.ci"), { recursive: true });
    chmodSync(put("bin/gh", `#!/bin/sh\nprintf '%s\\n' "$@" > "${directory}/gh"\n`), 0o755);
    await run("git", ["init", "--quiet", "--bare", "origin"], { cwd: directory });
    await git("init --quiet --initial-branch=main");
    await git("config user.name Test");
    await git("config user.email test@example.com");
    await git(`remote add origin ${join(directory, "origin")}`);
    await git("add .");
    await git("commit --quiet --message Data");
    await git("push --quiet origin main");
  });

  function manifestOf(release: string, register = "2026-07-06"): string {
    const of = { "plans.bin": "9.0.43", "carrier.jsonl": release, "allocation-us.jsonl": register };
    return JSON.stringify(
      Object.fromEntries(Object.entries(of).map(([name, version]) => [name, { release: version }])),
    );
  }
  const branchOf = (release: string, manifest: string) =>
    `data-9.0.43-${release}-${createHash("sha256").update(manifest).digest("hex").slice(0, 8)}`;
  /** Makes the patch as the workflow's first job does, and leaves the checkout as its second finds it. */
  async function hand(): Promise<void> {
    await git("add --all -- .");
    await git("diff --cached --binary --output=build/data.patch");
    await git("reset --quiet --hard");
  }
  const propose = () =>
    run("bash", [".ci/propose-data"], {
      cwd: join(directory, "clone"),
      env: {
        GH_TOKEN: "secret-token",
        PATH: [join(directory, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
      },
    });

  test("pushes a branch with only the data and opens a pull request with the list of changes", async () => {
    put("clone/worker/phone/data/carrier.jsonl", "new");
    put("clone/worker/phone/data/added.json", "{}");
    put("clone/contract/data-manifest.json", manifestOf("9.0.36"));
    put("clone/worker/phone/data/plans.bin", "\u0000new");
    await hand();
    const outcome = await propose();
    expect(outcome).toMatchObject({ exit: 0, stderr: "" });
    const title = "Numbering plans of libphonenumber 9.0.43, carriers, areas and zones of 9.0.36";
    const branch = branchOf("9.0.36", manifestOf("9.0.36"));
    expect((await git(`log -1 --format=%s%n%an --name-only origin/${branch}`)).stdout).toBe(
      `${title}\ngithub-actions[bot]\n\ncontract/data-manifest.json\nworker/phone/data/added.json\nworker/phone/data/carrier.jsonl\nworker/phone/data/plans.bin\n`,
    );
    expect(readFileSync(join(directory, "gh"), "utf8").split("\n")).toEqual([
      "pr",
      "create",
      "--base",
      "main",
      "--head",
      branch,
      "--title",
      title,
      "--body-file",
      "build/data-proposal.md",
      "",
    ]);
    expect(readFileSync(join(directory, "clone/build/data-proposal.md"), "utf8")).toContain("+41 Switzerland: 1 new");
    expect(outcome.stdout + (await git("config --list")).stdout).not.toMatch(/secret-token|http\.extraheader/i);
  });

  test("is skipped if nothing changed or it's already proposed", async () => {
    await hand();
    expect(await propose()).toMatchObject({ exit: 0, stdout: "Nothing is newer, or due.\n" });
    expect(existsSync(join(directory, "gh"))).toBe(false);
    const branch = branchOf("9.0.36", manifestOf("9.0.36"));
    await git(`push --quiet origin main:${branch}`);
    put("clone/contract/data-manifest.json", manifestOf("9.0.36"));
    await hand();
    expect(await propose()).toMatchObject({ exit: 0, stdout: `The branch ${branch} is there already.\n` });
    expect(existsSync(join(directory, "gh"))).toBe(false);
  });

  test("proposes newer registers of the same release, and names them", async () => {
    const manifest = manifestOf("9.0.35", "2026-08-10");
    put("clone/contract/data-manifest.json", manifest);
    for (const country of ["fr", "us"]) put(`clone/worker/phone/data/allocation-${country}.jsonl`, "new");
    put("clone/web/content/results.json", "{}");
    put("clone/web/content/samples/response.json", "{}");
    put("clone/web/public/coverage.json", "[]");
    await git("push --quiet origin main:data-9.0.43-9.0.35-00000000");
    await hand();
    expect(await propose()).toMatchObject({ exit: 0, stderr: "" });
    expect((await git(`log -1 --format=%s origin/${branchOf("9.0.35", manifest)}`)).stdout).toBe(
      "Numbering plans of libphonenumber 9.0.43, carriers, areas and zones of 9.0.35, registers of FR US\n",
    );
  });

  test("fails and proposes nothing if it can't check earlier proposals", async () => {
    put("clone/contract/data-manifest.json", manifestOf("9.0.36"));
    await hand();
    rmSync(join(directory, "origin"), { recursive: true });
    expect((await propose()).exit).toBe(128);
    expect((await git("branch --show-current")).stdout).toBe("main\n");
    expect(existsSync(join(directory, "gh"))).toBe(false);
  });

  test.each<[string, () => void]>([
    ["a workflow", () => put("clone/.github/workflows/evil.yml", "on: push")],
    ["the script itself", () => put("clone/.ci/propose-data", "echo evil")],
    ["code beside the data", () => put("clone/worker/phone/data/evil.ts", "evil()")],
    ["a file below the data", () => put("clone/worker/phone/data/more/evil.json", "{}")],
    ["a page of the site", () => put("clone/web/content/uses.ts", "evil()")],
    ["a program", () => chmodSync(put("clone/worker/phone/data/evil.json", "#!/bin/sh\n"), 0o755)],
    ["a link", () => symlinkSync("/etc/passwd", join(directory, "clone/worker/phone/data/evil.json"))],
    ["a release that is no number", () => put("clone/contract/data-manifest.json", manifestOf("9.0.36; evil"))],
  ])("proposes nothing if the patch has %s", async (_, plant) => {
    put("clone/contract/data-manifest.json", manifestOf("9.0.36"));
    plant();
    await hand();
    expect((await propose()).exit).toBe(1);
    expect((await git("branch --list --remotes")).stdout).toBe("  origin/main\n");
    expect(existsSync(join(directory, "gh"))).toBe(false);
  });

  test("fails if it can't push", async () => {
    put("clone/contract/data-manifest.json", manifestOf("9.0.36"));
    await hand();
    chmodSync(put("origin/hooks/pre-receive", "#!/bin/sh\nexit 1\n"), 0o755);
    expect((await propose()).exit).not.toBe(0);
    const branch = branchOf("9.0.36", manifestOf("9.0.36"));
    expect((await git("branch --show-current")).stdout).toBe(`${branch}\n`);
    expect(existsSync(join(directory, "gh"))).toBe(false);
  });
});
