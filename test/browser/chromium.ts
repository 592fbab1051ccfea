import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { glob, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

/** A launchable Chromium, and its environment. */
export interface Chromium {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Either a Chromium and a way to remove its unpacked files, or the reason why there is none. */
export type FoundChromium =
  | { readonly chromium: Chromium; readonly remove: () => Promise<void> }
  | { readonly chromium: null; readonly reason: string };

const ARGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The package unpacks into the system's temporary folder and uses any `chromium` already there, so it runs in a
 * separate process with a separate folder. The name of a Lambda runtime makes it unpack its system libraries too.
 */
const UNPACK = `
  import chromium from "@sparticuz/chromium";
  await chromium.executablePath();
`;

/** Only the package's fonts, so that text has the same width on every machine. */
function fontsConfig(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(folder, "fonts/fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>
`;
}

const FOLDER = "checkline-chromium-";

/** Removes leftovers of killed runs; no run takes hours. */
async function removeLeftovers(): Promise<void> {
  for await (const name of glob(`${FOLDER}*`, { cwd: tmpdir() })) {
    const folder = join(tmpdir(), name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > 6 * 3_600_000) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Unpacks the Chromium of the npm package, about 210 MB, into a new folder. */
async function unpackChromium(): Promise<FoundChromium> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), FOLDER));
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", UNPACK], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" },
  });
  await writeFile(join(folder, "fonts/fonts.conf"), fontsConfig(folder));
  return {
    chromium: {
      path: join(folder, "chromium"),
      env: {
        // NSS, NSPR, and Expat, which a minimal Debian lacks.
        LD_LIBRARY_PATH: join(folder, "al2023/lib"),
        FONTCONFIG_PATH: join(folder, "fonts"),
        // A killed browser's profiles are removed with the folder.
        TMPDIR: folder,
      },
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

const INSTALLED: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["Google Chrome", "Chromium", "Microsoft Edge"].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((variable) => {
    const folder = process.env[variable];
    if (folder === undefined) return [];
    return ["Google/Chrome", "Microsoft/Edge"].map((product) =>
      join(folder, product, "Application", product.endsWith("Edge") ? "msedge.exe" : "chrome.exe"),
    );
  }),
  linux: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].flatMap((name) =>
    (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)),
  ),
};

/** The Chromium in `CHROME_PATH`, else the npm package's for Linux x64, else an installed one. */
export async function findChromium(): Promise<FoundChromium> {
  const chosen = process.env["CHROME_PATH"];
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`CHROME_PATH is ${chosen}, where there is nothing.`);
    return { chromium: { path: chosen, env: {} }, remove: async () => {} };
  }
  if (process.platform === "linux" && process.arch === "x64") return unpackChromium();
  const path = INSTALLED[process.platform]?.find((candidate) => existsSync(candidate));
  if (path !== undefined) return { chromium: { path, env: {} }, remove: async () => {} };
  const machine = `${process.platform} on ${process.arch}`;
  return {
    chromium: null,
    reason: `No Chrome or Chromium was found on ${machine}. Set CHROME_PATH to the path of one.`,
  };
}

/** Starts the browser. It resolves only this machine's names, so that no request leaves it. */
export function launchChromium({ path, env }: Chromium): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    args: [...ARGS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"],
    env: { ...process.env, ...env },
  });
}
