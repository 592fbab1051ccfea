import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { alerts } from "../docs/alerts.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import { JOB_NAMES } from "../worker/operations/jobs.ts";
import { ROOT } from "./local/run.ts";

const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`);
const CHAPTERS = globSync("worker/**/README.md", { cwd: ROOT });
const DOCS = ["README.md", "AGENTS.md", ...filesIn("docs"), ...CHAPTERS];
const AUTOMATION = [...filesIn(".ci"), ...filesIn(".github/workflows")];

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(" ", "-")
      .replaceAll(/[^\w-]/g, ""),
  );
}

test.each([...DOCS, ...AUTOMATION])("every npm script in %s exists", (path) => {
  const named = [...read(path).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !Object.hasOwn(manifest.scripts, name))).toStrictEqual([]);
});

test("README lists every npm script", () => {
  const readme = read("README.md");
  const missing = Object.keys(manifest.scripts).filter(
    (name) => !new RegExp(`npm (run )?${name}\\b(?!:)`).test(readme),
  );
  expect(missing).toStrictEqual([]);
});

test.each(DOCS)("every file that %s names or links exists", (path) => {
  const folders = "\\.ci|\\.github|bench|contract|docs|scripts|sdks|test|web|worker";
  const named = [...read(path).matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*)\``, "g"))].map(([, file]) => file!);
  // As docs/security.md abbreviates tests.
  const tests = [...read(path).matchAll(/`((?:api|isolate|browser)\/[a-z.-]{2,})`/g)].map(
    ([, name]) => `test/${name}.test.ts`,
  );
  expect([...named, ...tests].filter((file) => !existsSync(join(ROOT, file)))).toStrictEqual([]);
  const links = [...read(path).matchAll(/\]\(([\w./-]*)(?:#([\w-]+))?\)/g)];
  const broken = links.filter(([, link, anchor]) => {
    const target = link === "" ? path : join(dirname(path), link!);
    return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toStrictEqual([]);
});

test("every alert is about an event that the worker logs, and leads to a section of the runbook", () => {
  const source = globSync("worker/**/*.ts", { cwd: ROOT, exclude: ["**/*.test.ts"] })
    .map(read)
    .join("\n");
  const jobs = new Set(JOB_NAMES.map((job) => `${job}_failed`));
  const anchors = anchorsOf("docs/runbook.md");
  for (const { name, query, section } of alerts) {
    const [, condition] = /attributes\.event (= '\w+'|IN \(.+\))/.exec(query)!;
    const events = [...condition!.matchAll(/\w{3,}/g)].map(([event]) => event);
    expect(events.filter((event) => !jobs.has(event) && !source.includes(`"${event}"`))).toStrictEqual([]);
    expect(anchors, name).toContain(section);
  }
});
