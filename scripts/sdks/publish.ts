import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import type { SdkId } from "../../sdks/packages.ts";
import { PACKAGES } from "./manifest.ts";
import { run } from "../local/run.ts";
import { inTemporaryFolder, RELEASED } from "./toolchain.ts";

/** A publisher's environment. Tests replace the registries. */
export interface Setting {
  /** The built package. */
  readonly file: string;
  readonly request: typeof fetch;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How an SDK's package gets into its language's registry. */
interface Publisher {
  readonly sdk: SdkId;
  /** Tries everything possible without the registry. @throws Error with a tool's output. */
  rehearse(setting: Setting): Promise<void>;
  /** @throws Error with the registry's response. */
  publish(setting: Setting): Promise<void>;
}

/** A required environment variable. @throws Error naming the missing one */
function needed({ env }: Setting, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}

/** A successful response. @throws Error with its status and the start of its body. */
async function asked({ request }: Setting, url: string, init: RequestInit): Promise<Response> {
  const response = await request(url, init);
  if (response.ok || response.status === 302) return response;
  throw new Error(`${new URL(url).host} responded with ${response.status}: ${(await response.text()).slice(0, 500)}`);
}

async function textIn(response: Response, name: string): Promise<string> {
  const body = (await response.json()) as Readonly<Record<string, unknown>>;
  if (typeof body[name] === "string") return body[name];
  throw new Error(`There is no ${name} in the response of ${response.url}.`);
}

/** GitHub's signed identity token for this run, for one registry. The job needs `id-token: write`. */
async function identity(setting: Setting, audience: string): Promise<string> {
  const url = `${needed(setting, "ACTIONS_ID_TOKEN_REQUEST_URL")}&audience=${encodeURIComponent(audience)}`;
  const headers = { Authorization: `Bearer ${needed(setting, "ACTIONS_ID_TOKEN_REQUEST_TOKEN")}` };
  return textIn(await asked(setting, url, { headers }), "value");
}

function post(json: unknown, authorization?: string): RequestInit {
  const headers = { "Content-Type": "application/json", ...(authorization && { Authorization: authorization }) };
  return { method: "POST", headers, body: JSON.stringify(json) };
}

function blob(file: string): Blob {
  return new Blob([readFileSync(file)]);
}

const npm: Publisher = {
  sdk: "javascript",
  async rehearse({ file }) {
    await run("npm", ["publish", file, "--dry-run", "--access", "public"], { cwd: dirname(file) });
  },
  /** npm itself presents GitHub's identity to the registry since version 11.5.1. */
  async publish({ file }) {
    await run("npm", ["publish", file, "--access", "public", "--provenance"], { cwd: dirname(file) });
  },
};

const pypi: Publisher = {
  sdk: "python",
  async rehearse({ file }) {
    await run("twine", ["check", "--strict", file], { cwd: dirname(file) });
  },
  async publish(setting) {
    const token = await identity(setting, "pypi");
    const minted = await asked(setting, "https://pypi.org/_/oidc/mint-token", post({ token }));
    const env = { TWINE_USERNAME: "__token__", TWINE_PASSWORD: await textIn(minted, "token") };
    await run("twine", ["upload", "--non-interactive", setting.file], { cwd: dirname(setting.file), env });
  },
};

const rubygems: Publisher = {
  sdk: "ruby",
  async rehearse({ file }) {
    const version = await run("gem", ["specification", file, "version"], { cwd: dirname(file) });
    if (!version.includes(SDK_VERSION)) throw new Error(`The gem is not ${SDK_VERSION}: ${version}`);
  },
  async publish(setting) {
    const jwt = await identity(setting, "rubygems.org");
    const exchange = "https://rubygems.org/api/v1/oidc/trusted_publisher/exchange_token";
    const key = await textIn(await asked(setting, exchange, post({ jwt })), "rubygems_api_key");
    const headers = { Authorization: key, "Content-Type": "application/octet-stream" };
    const body = blob(setting.file);
    await asked(setting, "https://rubygems.org/api/v1/gems", { method: "POST", headers, body });
  },
};

/**
 * Commits the package to a clone of the repository that Packagist reads, and pushes it with a tag: Composer's packages
 * are tags. The token is in git's environment, so it never appears in a failed command's error.
 */
async function pushPhp(file: string, repository: string, folder: string, token?: string): Promise<void> {
  const value = `Authorization: Basic ${btoa(`x-access-token:${token}`)}`;
  const header = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "http.extraHeader", GIT_CONFIG_VALUE_0: value };
  const env = token === undefined ? {} : header;
  const git = (...args: string[]) => run("git", args, { cwd: folder, env });
  await git("clone", "--quiet", repository, ".");
  for (const name of readdirSync(folder).filter((each) => each !== ".git")) {
    rmSync(join(folder, name), { recursive: true });
  }
  await run("unzip", ["-q", file], { cwd: folder });
  const author = ["-c", "user.name=Checkline", "-c", "user.email=releases@checkline.invalid"];
  await git("add", "--all");
  await git(...author, "commit", "--quiet", "--allow-empty", "--message", SDK_VERSION, `--date=${RELEASED}`);
  await git(...author, "tag", "--annotate", `v${SDK_VERSION}`, "--message", SDK_VERSION);
  await git("push", "--quiet", "--atomic", "origin", "HEAD", `v${SDK_VERSION}`);
}

const packagist: Publisher = {
  sdk: "php",
  async rehearse({ file }) {
    await inTemporaryFolder(async (folder) => {
      const repository = join(folder, "repository.git");
      const clone = join(folder, "clone");
      mkdirSync(clone);
      await run("git", ["init", "--quiet", "--bare", repository], { cwd: folder });
      await pushPhp(file, repository, clone);
      await run("composer", ["validate", "--no-check-version", "--no-interaction"], { cwd: clone });
    });
  },
  /** Packagist supports neither trusted publishing nor provenance: it reads a git repository. */
  async publish(setting) {
    const repository = needed(setting, "PHP_REPOSITORY");
    const token = `${needed(setting, "PACKAGIST_USER")}:${needed(setting, "PACKAGIST_TOKEN")}`;
    const repositoryToken = needed(setting, "PHP_REPOSITORY_TOKEN");
    await inTemporaryFolder((folder) => pushPhp(setting.file, repository, folder, repositoryToken));
    const body = { repository: { url: repository } };
    await asked(setting, "https://packagist.org/api/update-package", post(body, `Bearer ${token}`));
  },
};

const goModules: Publisher = {
  sdk: "go",
  async rehearse({ file }) {
    const module = sdkWithId("go").registry.package;
    await inTemporaryFolder(async (folder) => {
      const proxy = new URL(`file://${file.slice(0, file.indexOf(module))}`).href;
      const env = { GOPROXY: proxy, GONOSUMDB: module, GOMODCACHE: join(folder, "modules"), GOFLAGS: "-modcacherw" };
      await run("go", ["mod", "download", `${module}@v${SDK_VERSION}`], {
        cwd: folder,
        env: { ...env, GOWORK: "off" },
      });
    });
  },
  /**
   * The module is on the site, at its own path. The public mirror downloads it on first request, and keeps its
   * checksum.
   */
  async publish(setting) {
    const module = sdkWithId("go").registry.package;
    await asked(setting, `https://proxy.golang.org/${module}/@v/v${SDK_VERSION}.info`, {});
    await asked(setting, `https://sum.golang.org/lookup/${module}@v${SDK_VERSION}`, {});
  },
};

/**
 * The files of a Maven release as one archive, with checksums and, if there is a key, the signatures that Central
 * requires. Zipped by the system's tool: the job that publishes installs no npm packages.
 */
async function mavenBundle(file: string, signingKey: string | undefined): Promise<Buffer> {
  const folder = dirname(file);
  const prefix = folder.slice(folder.indexOf("maven/") + "maven/".length);
  const names = readdirSync(folder).filter((name) => /\.(jar|pom)$/.test(name));
  let bundle = Buffer.alloc(0);
  await inTemporaryFolder(async (home) => {
    const made = join(home, "bundle", prefix);
    mkdirSync(made, { recursive: true });
    const env = { GNUPGHOME: home };
    const gpg = (...args: string[]) => run("gpg", ["--batch", "--quiet", ...args], { cwd: made, env });
    if (signingKey !== undefined) {
      writeFileSync(join(home, "key.asc"), signingKey, { mode: 0o600 });
      await gpg("--import", join(home, "key.asc"));
    }
    for (const name of names) {
      copyFileSync(join(folder, name), join(made, name));
      if (signingKey !== undefined) await gpg("--armor", "--detach-sign", name);
      for (const algorithm of ["md5", "sha1"]) {
        const digest = createHash(algorithm)
          .update(readFileSync(join(made, name)))
          .digest("hex");
        writeFileSync(join(made, `${name}.${algorithm}`), digest);
      }
    }
    await run("zip", ["--quiet", "--recurse-paths", "--no-dir-entries", "../bundle.zip", "."], {
      cwd: join(home, "bundle"),
    });
    bundle = readFileSync(join(home, "bundle.zip"));
  });
  return bundle;
}

const maven: Publisher = {
  sdk: "java",
  async rehearse({ file, env }) {
    const bundle = await mavenBundle(file, env["MAVEN_SIGNING_KEY"]);
    const listed = bundle.toString("latin1");
    for (const part of [".jar", "-sources.jar", "-javadoc.jar", ".pom"]) {
      if (!listed.includes(`checkline-${SDK_VERSION}${part}.sha1`)) throw new Error(`The bundle has no ${part}.`);
    }
  },
  /**
   * Central has no trusted publishing; signatures identify the publisher. An owner confirms the upload in the Portal.
   */
  async publish(setting) {
    const key = needed(setting, "MAVEN_SIGNING_KEY");
    const token = btoa(`${needed(setting, "MAVEN_USER")}:${needed(setting, "MAVEN_PASSWORD")}`);
    const bundle = await mavenBundle(setting.file, key);
    const body = new FormData();
    body.set("bundle", new Blob([new Uint8Array(bundle)]), "bundle.zip");
    const query = new URLSearchParams({ name: `checkline ${SDK_VERSION}`, publishingType: "USER_MANAGED" });
    const url = `https://central.sonatype.com/api/v1/publisher/upload?${query}`;
    await asked(setting, url, { method: "POST", headers: { Authorization: `Bearer ${token}` }, body });
  },
};

const pubDev: Publisher = {
  sdk: "dart",
  /** `npm run test:sdks` includes Dart's own dry run. */
  async rehearse({ file }) {
    const names = await run("tar", ["--list", "--file", file], { cwd: dirname(file) });
    for (const name of ["pubspec.yaml", "README.md", "CHANGELOG.md", "LICENSE", "lib/checkline.dart"]) {
      if (!names.split("\n").includes(name)) throw new Error(`The package has no ${name}.`);
    }
  },
  /** The three steps of https://github.com/dart-lang/pub/blob/master/doc/repository-spec-v2.md */
  async publish(setting) {
    const token = await identity(setting, "https://pub.dev");
    const headers = { Accept: "application/vnd.pub.v2+json", Authorization: `Bearer ${token}` };
    const begun = await asked(setting, "https://pub.dev/api/packages/versions/new", { headers });
    const { url, fields } = (await begun.json()) as { url: string; fields: Readonly<Record<string, string>> };
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set("file", blob(setting.file), basename(setting.file));
    const uploaded = await asked(setting, url, { method: "POST", body, redirect: "manual" });
    const finish = uploaded.headers.get("location");
    if (finish === null) throw new Error("The upload response has no finish URL.");
    await asked(setting, finish, { headers });
  },
};

/** By the registry's name in commands and workflows. */
export const PUBLISHERS: Readonly<Record<string, Publisher>> = {
  npm,
  pypi,
  packagist,
  rubygems,
  go: goModules,
  maven,
  pub: pubDev,
};

/** The built package of an SDK. */
export function packageFile(sdk: SdkId): string {
  return join(PACKAGES, sdkWithId(sdk).file);
}
