import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { ORIGIN } from "../../contract/origin.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import type { SdkId } from "../../sdks/packages.ts";
import { longTest } from "../long.ts";
import { focused, openLive, waitUntilLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();
const ROOT = join(import.meta.dirname, "../..");
const SAMPLES = join(ROOT, "web/content/samples");

interface Shown {
  readonly label: string;
  readonly path: string;
  /** Before running the file, after setting the key. */
  readonly commands: readonly string[];
}

/** An SDK's tab: its example, and the commands that install and run it for this site. */
function sdk(label: string, id: SdkId): Shown {
  const { install, example } = sdkWithId(id);
  const environment = ["export CHECKLINE_API_KEY=ch_test_…", `export CHECKLINE_BASE_URL=${ORIGIN}`];
  return { label, path: join(ROOT, "sdks", id, example.source), commands: [install, ...environment, example.run] };
}

const REST: Shown = {
  label: "REST",
  path: join(SAMPLES, "verify.sh"),
  commands: ["export CHECKLINE_API_KEY=ch_test_…", "sh verify.sh"],
};
const LANGUAGES = [
  REST,
  sdk("Ruby", "ruby"),
  sdk("Python", "python"),
  sdk("PHP", "php"),
  sdk("Node.js", "javascript"),
  sdk("Go", "go"),
  sdk("Java", "java"),
  sdk("Flutter", "dart"),
];

/** Runs before a page's own scripts: makes the clipboard fail, both APIs. */
const NO_CLIPBOARD = `
  navigator.clipboard.writeText = () => Promise.reject(new DOMException("Rejected", "NotAllowedError"));
  document.execCommand = () => false;
`;

/** Runs before a page's own scripts: blocks storage, like some browsers do in frames or on request. */
const NO_STORAGE = `
  Object.defineProperty(window, "localStorage", { get() { throw new DOMException("Closed", "SecurityError"); } });
`;

async function openHome(script?: string): Promise<Page> {
  const page = await site.newPage();
  if (script !== undefined) await page.addInitScript({ content: script });
  await openLive(page);
  return page;
}

function tab(page: Page, label: string) {
  return page.getByRole("tab", { name: label, exact: true });
}

/** The selected tab, once its panel is visible. */
async function shown(page: Page): Promise<string> {
  const chosen = await page.getByRole("tab", { selected: true }).allInnerTexts();
  const panels = await page.getByRole("tabpanel").all();
  expect(chosen).toHaveLength(1);
  expect(panels).toHaveLength(1);
  return chosen[0]!;
}

function toast(page: Page, text: string) {
  return page.locator("[data-sonner-toast]").filter({ hasText: text });
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate("navigator.clipboard.readText()");
}

describe("the languages", () => {
  test("are selected with arrow keys, Home, and End, wrapping around", async () => {
    const page = await openHome();
    await tab(page, "REST").focus();
    const keys = ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "ArrowLeft", "Home"];
    for (const [at, label] of ["Ruby", "Python", "Ruby", "Flutter", "REST", "Flutter", "REST"].entries()) {
      await page.keyboard.press(keys[at]!);
      await expect.poll(() => shown(page)).toBe(label);
      await expect.poll(() => focused(page)).toBe(label);
    }
  });

  longTest("are one stop of the Tab key, and the sample is the next that scrolls", async () => {
    const page = await openHome();
    await page.setViewportSize({ width: 375, height: 812 });
    await tab(page, "Go").click();
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("Copy request in Go");
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("Request in Go");
  });
});

describe("Copy", () => {
  test("copies each sample and its command, as shown, for the origin of this site", async () => {
    const page = await openHome();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const notices = page.getByRole("region", { name: /Notifications/ });
    await expect.poll(() => notices.getAttribute("aria-live")).toBe("polite");
    for (const { label, path, commands } of LANGUAGES) {
      await tab(page, label).click();
      const source = (await readFile(path, "utf8")).trimEnd().replaceAll(ORIGIN, site.origin);
      await expect.poll(() => page.getByRole("group", { name: `Request in ${label}` }).innerText()).toBe(source);
      await page.getByRole("button", { name: `Copy request in ${label}` }).click();
      await expect.poll(() => clipboard(page)).toBe(source);
      await toast(page, "Copied").first().waitFor();
      await page.getByRole("button", { name: `Copy commands for ${label}` }).click();
      await expect.poll(() => clipboard(page)).toBe(commands.join("\n").replaceAll(ORIGIN, site.origin));
    }
  });

  test("says so when nothing can be copied, and never claims success", async () => {
    const page = await openHome(NO_CLIPBOARD);
    const button = page.getByRole("button", { name: "Copy request in REST" });
    await button.click();
    await toast(page, "Couldn’t copy").waitFor();
    await page.getByText("Select the text and copy it manually.").waitFor();
    await expect.poll(() => toast(page, "Copied").count()).toBe(0);
    await expect.poll(() => button.getAttribute("data-copied")).toBeNull();
    await expect.poll(() => focused(page)).toBe("Copy request in REST");
  });
});

describe("the chosen language", () => {
  test("is still selected after a reload, and on a second visit", async () => {
    const page = await openHome();
    await tab(page, "Python").click();
    await expect.poll(() => shown(page)).toBe("Python");
    await page.reload();
    await expect.poll(() => shown(page)).toBe("Python");
    await openLive(page, "/help");
    await openLive(page, "/");
    await expect.poll(() => shown(page)).toBe("Python");
  });

  longTest("is followed by another tab that is open", async () => {
    const page = await openHome();
    const other = await page.context().newPage();
    await openLive(other);
    await tab(page, "Java").click();
    await expect.poll(() => shown(other)).toBe("Java");
    await other.getByRole("group", { name: "Request in Java" }).waitFor();
  });

  longTest("is REST where storage is closed, and lasts for the page", async () => {
    const page = await openHome(NO_STORAGE);
    await expect.poll(() => shown(page)).toBe("REST");
    await tab(page, "PHP").click();
    await expect.poll(() => shown(page)).toBe("PHP");
    await page.reload();
    await waitUntilLive(page);
    await expect.poll(() => shown(page)).toBe("REST");
  });
});
