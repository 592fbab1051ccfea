import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build } from "vite";
import { ERRORS } from "../../contract/errors.ts";
import { REASONS } from "../../contract/reasons.ts";
import { ROOT } from "../../scripts/local/run.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { builtSamples, withOrigin } from "../docs-samples.ts";
import { createAccount, createKey } from "../factories.ts";
import { openSite } from "./site.ts";

// The forms of the docs page "Web pages", in a shop on another origin.

const site = openSite();
/** The shop's current page. */
let html = "";
const shop = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    const signedUp = new URLSearchParams(body).get("phone");
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!doctype html><link rel="icon" href="data:," />${signedUp === null ? html : page(signedUp)}`);
  });
});

beforeAll(() => new Promise<void>((resolve) => void shop.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => void shop.close(resolve)));

function page(phone: string): string {
  return `<h1>Signed up: ${phone}</h1>`;
}

/** A browser treats these as two origins. */
const at = (host: "127.0.0.1" | "localhost") => `http://${host}:${(shop.address() as AddressInfo).port}`;

/** A form from the docs, with this site and a key. */
function sample(title: string, key: string): string {
  const { code } = builtSamples().find((found) => found.page === "web-pages" && found.title === title)!;
  return withOrigin(code, site.origin).replace("ch_live_…", key);
}

/** The React form as a page, built as an app is. */
async function reactPage(key: string): Promise<string> {
  const files: Readonly<Record<string, string>> = {
    [join(ROOT, "sign-up.jsx")]: sample("sign-up.jsx", key),
    [join(ROOT, "shop.jsx")]: `
      import { createRoot } from "react-dom/client";
      import { SignUp } from "./sign-up.jsx";
      const signUp = (phone) => void (document.querySelector("h1").textContent = "Signed up: " + phone);
      createRoot(document.querySelector("main")).render(<SignUp onSignUp={signUp} />);`,
  };
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: ROOT,
    build: { write: false, rolldownOptions: { input: join(ROOT, "shop.jsx") } },
    plugins: [
      {
        name: "sample",
        enforce: "pre",
        resolveId: (id) => Object.keys(files).find((file) => file === join(ROOT, id) || file === id) ?? null,
        load: (id) => files[id] ?? null,
      },
    ],
  });
  if (!("output" in built)) throw new Error("The form gave no bundle");
  return `<h1></h1><main></main><script type="module">${built.output[0].code}</script>`;
}

async function pageKey(monthlyCap: number): Promise<string> {
  const userId = await createAccount(site.worker.db);
  const origins = { allowedOrigins: [at("127.0.0.1")] };
  const made = { db: site.worker.db, now: Date.now(), userId, mode: "live", name: "Shop", monthlyCap } as const;
  return (await insertApiKey({ ...made, ...origins })).apiKey;
}

async function open(key: string, form: string, host: "127.0.0.1" | "localhost" = "127.0.0.1"): Promise<Page> {
  html = form === "React" ? await reactPage(key) : sample("sign-up.html", key);
  site.expectProblem(/^request to another origin: /);
  const opened = await site.newPage();
  await opened.goto(at(host));
  return opened;
}

async function send(opened: Page, number: string): Promise<void> {
  await opened.getByLabel("Phone").fill(number);
  await opened.getByRole("button", { name: "Sign up" }).click();
}

describe.each(["plain HTML", "React"])("a sign-up form in %s, on another origin", (form) => {
  test("explains a mistake, offers the suggestion, and signs up with the number in E.164", async () => {
    const opened = await open(await pageKey(10), form);
    await send(opened, "+1 202 55");
    await opened.getByRole("alert").getByText(REASONS.TOO_SHORT.hint).waitFor();
    const field = opened.getByLabel("Phone");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await send(opened, "+55 11 8765-4321");
    const alert = opened.getByRole("alert");
    await expect.poll(() => alert.innerText()).toBe("This isn't a valid phone number. Did you mean +5511987654321?");
    await alert.getByRole("button", { name: "+5511987654321" }).click();
    expect(await field.inputValue()).toBe("+5511987654321");
    await expect.poll(() => alert.innerText()).toBe("");
    await opened.getByRole("button", { name: "Sign up" }).click();
    await opened.getByRole("heading", { name: "Signed up: +5511987654321" }).waitFor();
  });

  test("explains a mistake with a test key too", async () => {
    const opened = await open(await createKey(site.worker.db, "test"), form);
    await send(opened, "+1 202 555");
    await opened.getByRole("alert").getByText(REASONS.TOO_SHORT.hint).waitFor();
  });

  test("calls once for two clicks, and forgets a mistake as soon as it's being corrected", async () => {
    const opened = await open(await pageKey(10), form);
    let calls = 0;
    await opened.route("**/verify", async (route) => {
      calls += 1;
      await sleep(300);
      await route.continue();
    });
    await opened.getByLabel("Phone").fill("+1 202 55");
    await opened.getByRole("button", { name: "Sign up" }).dblclick();
    await opened.getByLabel("Phone").press("Enter");
    await opened.getByRole("alert").getByText(REASONS.TOO_SHORT.hint).waitFor();
    expect(calls).toBe(1);
    await opened.getByLabel("Phone").pressSequentially("5");
    await expect.poll(() => opened.getByRole("alert").innerText()).toBe("");
    expect(await opened.getByLabel("Phone").getAttribute("aria-invalid")).not.toBe("true");
  });

  test("lets people sign up when the cap is used up", async () => {
    const key = await pageKey(1);
    const opened = await open(key, form);
    await send(opened, "(202) 555-0123");
    await opened.getByRole("heading", { name: "Signed up: +12025550123" }).waitFor();
    site.expectProblem(/^answer 402: .*\/verify$/);
    site.expectProblem(/^console warning: KEY_CAP_REACHED: /);
    await opened.goto(at("127.0.0.1"));
    await send(opened, "(202) 555-0199");
    await opened.getByRole("heading", { name: "Signed up: (202) 555-0199" }).waitFor();
  });

  test("lets people sign up when there are too many calls", async () => {
    const opened = await open(await pageKey(10), form);
    const json = { error: ERRORS.RATE_LIMITED.message, code: "RATE_LIMITED" };
    const headers = { "Access-Control-Allow-Origin": "*" };
    await opened.route("**/verify", (route) => route.fulfill({ status: 429, headers, json }));
    site.expectProblem(/^answer 429: .*\/verify$/);
    site.expectProblem(/^console warning: RATE_LIMITED: /);
    await send(opened, "(202) 555-0199");
    await opened.getByRole("heading", { name: "Signed up: (202) 555-0199" }).waitFor();
  });

  test("reads why the call is rejected on an origin that isn't allowed", async () => {
    const opened = await open(await pageKey(10), form, "localhost");
    site.expectProblem(/^answer 403: .*\/verify$/);
    site.expectProblem(/^console warning: ORIGIN_NOT_ALLOWED: This key works only from web pages/);
    await send(opened, "+5511987654321");
    await opened.getByRole("heading", { name: /^Signed up: / }).waitFor();
  });
});
