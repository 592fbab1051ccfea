import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { packageFile, PUBLISHERS } from "./publish.ts";
import { versionOf } from "./toolchain.ts";

/** The environment of a run on GitHub, with secrets for registries that need them. */
const GITHUB = {
  ACTIONS_ID_TOKEN_REQUEST_URL: "https://github.test/token?version=2",
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-run",
};

const folder = mkdtempSync(join(tmpdir(), "checkline-publish-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Call {
  readonly url: string;
  readonly init: RequestInit;
}

/** Fake registries that respond with the `answers` entry matching the start of the address, and record their calls. */
function registries(answers: Readonly<Record<string, () => Response>>) {
  const calls: Call[] = [];
  const request = (async (input: string, init: RequestInit = {}) => {
    calls.push({ url: input, init });
    const found = Object.keys(answers).find((beginning) => input.startsWith(beginning));
    return found === undefined ? new Response("Nobody knows.", { status: 404 }) : answers[found]!();
  }) as typeof fetch;
  return { calls, request };
}

const identity = { "https://github.test/token": () => Response.json({ value: "an-identity" }) };

async function publish(name: string, services: ReturnType<typeof registries>, env: Record<string, string> = GITHUB) {
  const { sdk, publish: run } = PUBLISHERS[name]!;
  await run({ file: packageFile(sdk), request: services.request, env });
  return services.calls;
}

/** A call's Authorization header. */
function authorization({ init }: Call): string | null {
  return new Headers(init.headers).get("authorization");
}

describe("RubyGems", () => {
  const key = { "https://rubygems.org/api/v1/oidc/": () => Response.json({ rubygems_api_key: "a-key" }) };

  test("gets the gem, byte for byte, with the key exchanged for GitHub's identity", async () => {
    const services = registries({ ...identity, ...key, "https://rubygems.org/api/v1/gems": () => new Response("OK") });
    const [asked, exchanged, pushed] = await publish("rubygems", services);
    expect(asked!.url).toContain("&audience=rubygems.org");
    expect(JSON.parse(String(exchanged!.init.body))).toStrictEqual({ jwt: "an-identity" });
    expect(authorization(pushed!)).toBe("a-key");
    const bytes = await new Response(pushed!.init.body as Blob).arrayBuffer();
    expect(Buffer.from(bytes).equals(readFileSync(packageFile("ruby")))).toBe(true);
  });

  test("reports why it rejects, for example an existing version", async () => {
    const taken = () => new Response("Repushing of gem versions is not allowed.", { status: 409 });
    const services = registries({ ...identity, ...key, "https://rubygems.org/api/v1/gems": taken });
    await expect(publish("rubygems", services)).rejects.toThrow("rubygems.org responded with 409: Repushing");
  });

  test("is not called by a run without an identity", async () => {
    const services = registries(key);
    await expect(publish("rubygems", services, {})).rejects.toThrow("ACTIONS_ID_TOKEN_REQUEST_URL is not set.");
    expect(services.calls).toStrictEqual([]);
  });
});

describe("pub.dev", () => {
  const begin = {
    "https://pub.dev/api/packages/versions/new?finish": () => Response.json({ success: { message: "Done." } }),
    "https://pub.dev/api/packages/versions/new": () =>
      Response.json({ url: "https://storage.test/upload", fields: { key: "a", policy: "b" } }),
  };

  test("gets the package at its upload URL, with its fields, and is asked to finish", async () => {
    const location = "https://pub.dev/api/packages/versions/new?finish=1";
    const stored = { "https://storage.test/upload": () => new Response(null, { status: 302, headers: { location } }) };
    const calls = await publish("pub", registries({ ...identity, ...begin, ...stored }));
    expect(calls.map(({ url }) => url.split("?")[0])).toStrictEqual([
      "https://github.test/token",
      "https://pub.dev/api/packages/versions/new",
      "https://storage.test/upload",
      "https://pub.dev/api/packages/versions/new",
    ]);
    const form = calls[2]!.init.body as FormData;
    expect([...form.keys()]).toStrictEqual(["key", "policy", "file"]);
    const file = await (form.get("file") as File).arrayBuffer();
    expect(Buffer.from(file).equals(readFileSync(packageFile("dart")))).toBe(true);
    // The storage belongs to someone else: it gets no token.
    expect(calls.map(authorization)).toStrictEqual([
      "Bearer of-the-run",
      "Bearer an-identity",
      null,
      "Bearer an-identity",
    ]);
  });

  test("is a failure if the upload has no finish URL", async () => {
    const stored = { "https://storage.test/upload": () => new Response(null, { status: 204 }) };
    await expect(publish("pub", registries({ ...identity, ...begin, ...stored }))).rejects.toThrow("no finish URL");
  });
});

test("Go's mirror and checksum database are queried for the version", async () => {
  const services = registries({
    "https://proxy.golang.org/": () => new Response("{}"),
    "https://sum.golang.org/": () => new Response(""),
  });
  const calls = await publish("go", services, {});
  expect(calls.map(({ url }) => url)).toStrictEqual([
    `https://proxy.golang.org/checkline.example/go/@v/v${SDK_VERSION}.info`,
    `https://sum.golang.org/lookup/checkline.example/go@v${SDK_VERSION}`,
  ]);
  await expect(publish("go", registries({}), {})).rejects.toThrow("proxy.golang.org responded with 404");
});

test("Packagist and Maven Central are not called without their secrets", async () => {
  await expect(publish("packagist", registries({}))).rejects.toThrow("PHP_REPOSITORY is not set.");
  await expect(publish("maven", registries({}))).rejects.toThrow("MAVEN_SIGNING_KEY is not set.");
});

const hasGpg = (await versionOf("gpg", "--version")) !== null;

test.runIf(hasGpg)("Maven Central gets every file with checksums and our signature", { timeout: 120_000 }, async () => {
  const home = join(folder, "gpg");
  mkdirSync(home, { mode: 0o700 });
  const gpg = (...args: string[]) =>
    spawnSync("gpg", ["--batch", "--quiet", "--homedir", home, ...args], { encoding: "utf8" });
  gpg("--passphrase", "", "--quick-generate-key", "releases@checkline.invalid", "ed25519", "sign");
  const env = {
    MAVEN_SIGNING_KEY: gpg("--armor", "--export-secret-keys").stdout,
    MAVEN_USER: "user",
    MAVEN_PASSWORD: "password",
  };
  const services = registries({ "https://central.sonatype.com/": () => new Response("an-id", { status: 201 }) });
  const [upload] = await publish("maven", services, env);
  expect(upload!.url).toContain("publishingType=USER_MANAGED");
  expect(authorization(upload!)).toBe(`Bearer ${btoa("user:password")}`);
  const bundle = (upload!.init.body as FormData).get("bundle") as File;
  writeFileSync(join(folder, "bundle.zip"), Buffer.from(await bundle.arrayBuffer()));
  spawnSync("unzip", ["-q", "bundle.zip"], { cwd: folder });
  const release = join(folder, `example/checkline/checkline/${SDK_VERSION}`);
  for (const part of [".jar", "-sources.jar", "-javadoc.jar", ".pom"]) {
    const file = join(release, `checkline-${SDK_VERSION}${part}`);
    expect(readFileSync(`${file}.sha1`, "utf8")).toMatch(/^[0-9a-f]{40}$/);
    expect(readFileSync(`${file}.md5`, "utf8")).toMatch(/^[0-9a-f]{32}$/);
    expect(gpg("--verify", `${file}.asc`, file).status).toBe(0);
  }
});
