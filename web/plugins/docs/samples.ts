import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { Code, RootContent } from "mdast";
import { SDK_PACKAGES } from "../../../sdks/packages.ts";
import type { Sdk } from "../../../sdks/packages.ts";
import { requiredAttribute } from "./tree.ts";
import type { DocElement } from "./tree.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** A call's sample in each language, in the order of the menu. */
type Files = readonly (readonly [language: string, file: string])[];

interface Samples {
  readonly files: Files;
  /** What the page's own fence may have in place of the files'. */
  readonly varies?: RegExp;
}

/** A fence's name for an SDK's language. */
export function fenceLanguage(id: string): string {
  return id === "javascript" ? "js" : id;
}

/** Samples without an SDK. */
function plain(name: string, java: string): Files {
  return SDK_PACKAGES.map(({ id, example: { source } }) => [
    fenceLanguage(id),
    `web/content/samples/${id === "java" ? java : name}${extname(source)}`,
  ]);
}

/** The file of an SDK's example, which its own tests run: `batch`, beside the one that verifies a number. */
export function sdkExample({ id, example }: Sdk, name: string): string {
  const pascal = name.replace(/^./, (letter) => letter.toUpperCase());
  return `sdks/${id}/${example.source.replace("verify", name).replace("Verify", pascal)}`;
}

function withSdk(name: string, java = name): Files {
  return SDK_PACKAGES.map((sdk) => [fenceLanguage(sdk.id), sdkExample(sdk, sdk.id === "java" ? java : name)]);
}

const SAMPLES: Readonly<Record<string, Samples>> = {
  verify: { files: plain("verify", "Verify"), varies: /\+?\d{4,}/ },
  get: { files: plain("get", "Get"), varies: /\/api\/v1\/[\w/]+/ },
  batch: { files: withSdk("batch") },
  stream: { files: withSdk("stream") },
  quota: { files: withSdk("quota", "readQuota") },
  retry: { files: withSdk("retry") },
};

/**
 * Adds the files that make the same call as the element's own first fence, which is curl, with its number or path.
 * @throws Error for samples that don't exist, or a fence without its number or path.
 */
export function addLanguages(element: DocElement): void {
  const of = requiredAttribute(element, "of");
  const samples = SAMPLES[of];
  if (samples === undefined) throw new Error(`There are no samples of ${of}: ${Object.keys(SAMPLES).join(", ")}.`);
  const children = element.children as RootContent[];
  const curl = children.find((child) => child.type === "code")?.value ?? "";
  const own = samples.varies && samples.varies.exec(curl)?.[0];
  if (samples.varies && own === undefined) throw new Error(`<Calls of="${of}"> needs a fence with ${samples.varies}.`);
  const fences = samples.files.map(([lang, file]): Code => {
    const value = readFileSync(join(ROOT, file), "utf8").trimEnd();
    const adapted = own === undefined ? value : value.replace(samples.varies!, own);
    return { type: "code", lang, meta: `title="${basename(file)}"`, value: adapted };
  });
  children.push(...fences);
}
