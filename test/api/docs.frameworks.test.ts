import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { transformWithOxc } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sdkWithId } from "../../sdks/packages.ts";
import { PACKAGES } from "../../scripts/sdks/manifest.ts";
import { builtSamples } from "../docs-samples.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { run } from "../programs.ts";
import { startStandIn } from "../trouble.ts";

const MODULES = join(import.meta.dirname, "../../node_modules");
const worker = startWorker();
const standIn = startStandIn();
const folder = mkdtempSync(join(tmpdir(), "docs-framework-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The codes of calls that fail, after which a form accepts what was typed. */
const FAILURES = ["QUOTA_EXCEEDED", "RATE_LIMITED"] as const;

beforeAll(async () => {
  const args = ["install", "--offline", "--no-audit", "--no-fund", join(PACKAGES, sdkWithId("javascript").file)];
  expect((await run("npm", args, { cwd: folder })).exit).toBe(0);
  for (const name of ["express", "react", "react-dom", "react-router"])
    symlinkSync(join(MODULES, name), join(folder, "node_modules", name));
}, 120_000);

/** The guides' files; JSX as JavaScript. */
async function save(title: string, path: string): Promise<void> {
  const { code } = builtSamples().find((sample) => sample.page === "frameworks" && sample.title.endsWith(title))!;
  const jsx = { runtime: "automatic", development: false } as const;
  const script = title.endsWith(".jsx") ? (await transformWithOxc(code, title, { jsx })).code : code;
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), script.replace(/(?<=useActionState.*)"react"/, '"./react.mjs"'));
}

/** What each program below prints for a number: the form after it was sent. */
const HTML = `
  import { renderToString } from "react-dom/server";
  export function print(element) {
    const html = renderToString(element);
    const message = /<p id="phone-message" role="status">(.*?)<\\/p>/.exec(html)[1];
    console.log(/<input[^>]* name="phone"/.test(html) && /<button>Sign up/.test(html), message);
  }
`;

/** The state of the form after its action, as React would keep it. */
const NEXT = `
  import { createElement } from "react";
  import { print } from "./html.mjs";
  import { signUp } from "./next/actions.js";
  import SignUp from "./next/page.mjs";
  for (const phone of process.argv.slice(2)) {
    const form = new FormData();
    form.set("phone", phone);
    globalThis.state = await signUp({}, form);
    print(createElement(SignUp));
  }
`;

const ROUTER = `
  import { createElement } from "react";
  import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
  import { print } from "./html.mjs";
  import SignUp, { action } from "./sign-up.mjs";
  const handler = createStaticHandler([{ path: "/", Component: SignUp, action }]);
  for (const phone of process.argv.slice(2)) {
    const body = new URLSearchParams({ phone });
    const context = await handler.query(new Request("http://localhost/", { method: "POST", body }));
    const router = createStaticRouter(handler.dataRoutes, context);
    print(createElement(StaticRouterProvider, { router, context, hydrate: false }));
  }
`;

/** Sends the page's own form. */
const EXPRESS = `
  import "./server.mjs";
  const origin = "http://localhost:" + process.env.PORT;
  const html = await (await fetch(origin)).text();
  const [, action, method] = /<form action="(.*?)" method="(.*?)"/.exec(html);
  const [, name] = /<input[^>]* name="(.*?)"/.exec(html);
  for (const phone of process.argv.slice(2)) {
    const response = await fetch(origin + action, { method, body: new URLSearchParams({ [name]: phone }) });
    console.log(html.includes("<button>Sign up"), await response.text());
  }
  process.exit();
`;

const GUIDES = {
  "Next.js": NEXT,
  "React Router": ROUTER,
  Express: EXPRESS,
} as const;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

beforeAll(async () => {
  await save("sign-up/actions.js", "next/actions.js");
  await save("sign-up/page.jsx", "next/page.mjs");
  await save("routes/sign-up.jsx", "sign-up.mjs");
  await save("public/index.html", "public/index.html");
  await save("server.mjs", "server.mjs");
  writeFileSync(join(folder, "html.mjs"), HTML);
  writeFileSync(join(folder, "next/package.json"), '{ "type": "module" }');
  // Where React would keep the state, here the page gets it from the program.
  const state = "export const useActionState = (action, first) => [globalThis.state ?? first, () => {}, false];";
  writeFileSync(join(folder, "next/react.mjs"), state);
});

test.for(Object.entries(GUIDES))("the form of %s stores, explains, and lets through", async ([name, program]) => {
  const file = `${name}.mjs`;
  writeFileSync(join(folder, file), program);
  const signUp = async (key: string, origin: string, ...phones: string[]) => {
    const env = {
      CHECKLINE_API_KEY: key,
      CHECKLINE_BASE_URL: origin.replace(/\/$/, ""),
      PORT: String(await freePort()),
    };
    const { stdout, stderr } = await run(process.execPath, [file, ...phones], { cwd: folder, env });
    return stdout
      .trim()
      .split("\n")
      .concat(stderr || []);
  };
  for (const mode of ["live", "test"] as const) {
    const key = await createKey(worker.db, mode);
    expect(await signUp(key, worker.url, "(202) 555-0123", "+1202555", "+551187654321"), mode).toStrictEqual([
      "true Signed up with +12025550123.",
      "true Check this number.",
      "true Did you mean +5511987654321?",
    ]);
  }
  for (standIn.trouble of FAILURES) {
    expect(await signUp("ch_test_none", standIn.origin, "+1202")).toStrictEqual(["true Signed up with +1202."]);
  }
});
