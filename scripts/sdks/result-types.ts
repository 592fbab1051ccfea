import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import { sdkFolder } from "../../sdks/files.ts";
import type { SdkId } from "../../sdks/packages.ts";
import formatOptions from "../../.oxfmtrc.json" with { type: "json" };
import { dart } from "./result-types/dart.ts";
import { lookupResult } from "./result-types/fields.ts";
import type { ObjectType } from "./result-types/fields.ts";
import { go } from "./result-types/go.ts";
import { java } from "./result-types/java.ts";
import { javascript } from "./result-types/javascript.ts";
import { php } from "./result-types/php.ts";
import { python } from "./result-types/python.ts";
import { ruby } from "./result-types/ruby.ts";

/** What writes a language's types of results, and what reads them from JSON: texts by their path within the SDK. */
const LANGUAGES: Readonly<Record<SdkId, (result: ObjectType) => Record<string, string>>> = {
  javascript,
  python,
  php,
  ruby,
  go,
  java,
  dart,
};

/** The files of all SDKs that follow from the contract's result, as path and text. */
export async function resultTypes(): Promise<(readonly [path: string, text: string])[]> {
  const result = lookupResult();
  const files = Object.entries(LANGUAGES).flatMap(([id, render]) =>
    Object.entries(render(result)).map(([path, text]) => [join(sdkFolder(id as SdkId), path), text] as const),
  );
  return Promise.all(
    files.map(async ([path, text]) => [path, path.endsWith(".ts") ? await formatted(path, text) : text] as const),
  );
}

async function formatted(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, { printWidth: formatOptions.printWidth });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return code;
}

/** Writes those files. */
export async function writeResultTypes(): Promise<void> {
  for (const [path, text] of await resultTypes()) writeFileSync(path, text);
}
