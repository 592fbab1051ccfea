import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sdkFiles, sdkFolder } from "../../sdks/files.ts";
import type { SdkId } from "../../sdks/packages.ts";

/** Sources of public names, with regular expressions to extract them. */
interface Source {
  readonly file: RegExp;
  /** The relevant part, if not the whole file. */
  readonly within?: RegExp;
  /** Its first group is a name. */
  readonly name: RegExp;
}

const JAVA = /^src\/main\/java\/.*\.java$/;
const DART = /^lib\/src\/(client|outcomes|results|lookup_result|values|exceptions|transport)\.dart$/;

/**
 * Where each language declares public names: its exports, the client's methods, and the options of clients and calls.
 */
const SOURCES: Readonly<Record<SdkId, readonly Source[]>> = {
  javascript: [
    { file: /^src\/index\.ts$/, name: /(?<=[{,]\s*)(\w+)(?=\s*[,}])/g },
    { file: /^src\/client\.ts$/, within: /export interface [\s\S]*?\n\}/g, name: /^ {2}readonly (\w+)\?/gm },
    {
      file: /^src\/client\.ts$/,
      within: /export class [\s\S]*?\n\}/g,
      name: /^ {2}(?:async )?\*?(?!constructor)(\w+)\(/gm,
    },
  ],
  python: [
    { file: /^src\/checkline\/__init__\.py$/, within: /__all__ = \[[^\]]*\]/g, name: /"(\w+)"/g },
    { file: /^src\/.*_client\.py$/, name: /^ {4}(?:async )?def ([a-z]\w*)\(/gm },
    { file: /^src\/.*_client\.py$/, within: /def (?:__init__|[a-z]\w*)\(\n(?: {8}.*\n)+/g, name: /^ {8}(\w+):/gm },
  ],
  php: [
    { file: /^src\/(?!Internal)/, name: /^(?:final |abstract |readonly )*(?:class|interface|enum) (\w+)/gm },
    { file: /^src\/Client\.php$/, name: /public function (?!__)(\w+)/g },
    { file: /^src\/Client\.php$/, within: /public function \w+\([^)]*\)/g, name: /\$(\w+)/g },
  ],
  ruby: [
    { file: /^sig\/\w+\.rbs$/, name: /^ +(?:class|interface|module) (\w+)/gm },
    {
      file: /^sig\/checkline\.rbs$/,
      within: /class Client\n[\s\S]*?\n {2}end/g,
      name: /^ {4}def (?!initialize|inspect|to_s)(\w+)/gm,
    },
    { file: /^sig\/checkline\.rbs$/, within: /class Client\n[\s\S]*?\n {2}end/g, name: /\?(\w+): /g },
  ],
  go: [
    { file: /^(?!.*_test)\w+\.go$/, name: /^func (?:\(\w+ \*?Client\) )?(?!String|GoString)([A-Z]\w*)[[(]/gm },
    { file: /^(?!.*_test)\w+\.go$/, name: /^(?:type|var|const) ([A-Z]\w*)/gm },
  ],
  java: [
    { file: JAVA, name: /^public (?:final |abstract |sealed |non-sealed )*(?:class|record|interface|enum) (\w+)/gm },
    {
      file: /\/(Checkline|ChecklineBuilder|LookupOptions|PhoneNumber)\.java$/,
      name: /^ {2}public (?:static )?[\w<>]+ (?!toString|equals|hashCode)(\w+)\(/gm,
    },
  ],
  dart: [
    {
      file: DART,
      name: /^(?:final |sealed |abstract |base |interface )*(?:class|enum|typedef|extension type) ([A-Z]\w*)/gm,
    },
    {
      file: /^lib\/src\/client\.dart$/,
      within: /factory Checkline\(\{[\s\S]*?\n {2}\}\)/g,
      name: /([a-z]\w*)(?: =|,$)/gm,
    },
    { file: /^lib\/src\/client\.dart$/, name: /^ {2}(?:(?:Future|Stream)<.*>|void) ([a-z]\w*)\(/gm },
    {
      file: /^lib\/src\/client\.dart$/,
      within: /^ {2}(?:Future|Stream)<.*> \w+\([^)]*\)/gm,
      name: /(\w+)(?: = \w+)?,$/gm,
    },
  ],
};

/** An SDK's public names: types, errors, functions, the client's methods, and the options of clients and calls. */
export function publicNames(id: SdkId): readonly string[] {
  const files = sdkFiles(id);
  const names = SOURCES[id].flatMap(({ file, within, name }) =>
    files
      .filter((path) => file.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(sdkFolder(id), path), "utf8");
        const parts = within === undefined ? [text] : (text.match(within) ?? []);
        return parts.flatMap((part) => [...part.matchAll(name)].map(([, found]) => found!));
      }),
  );
  return [...new Set(names)].toSorted();
}
