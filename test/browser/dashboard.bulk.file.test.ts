import { expect, test } from "vitest";
import { dropFile, fillIn, focused, phase, start } from "./dashboard.bulk-page.ts";
import { createDeveloper } from "./dashboard.usage.ts";
import { openDashboard } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const PATH = "/dashboard/bulk";

function csv(name: string, content: string) {
  return { name, mimeType: "text/csv", buffer: Buffer.from(content) };
}

test("a file that is chosen again is read again", async () => {
  const { token } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  const chooser = page.locator("input[type=file]");
  await chooser.setInputFiles(csv("list.csv", "phone\n+5511987654321\n"));
  await page.getByText("Begins with +5511987654321").waitFor();
  await chooser.setInputFiles(csv("list.csv", "phone\n+12025550123\n"));
  await page.getByText("Begins with +12025550123").waitFor();
  await page.getByRole("button", { name: "Add 1 number" }).click();
  await expect.poll(() => page.getByLabel("Numbers", { exact: true }).inputValue()).toBe("+12025550123");
});

test("the file that was chosen last counts, however long another takes", async () => {
  const { token } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await page.evaluate(`(() => {
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async function () {
      if (this.name === "slow.csv") {
        await new Promise((resolve) => setTimeout(resolve, 400));
        window.slowWasRead = true;
      }
      return read.call(this);
    };
  })()`);
  const chooser = page.locator("input[type=file]");
  await chooser.setInputFiles(csv("slow.csv", "phone\n+5511987654321\n"));
  await chooser.setInputFiles(csv("quick.csv", "phone\n+12025550123\n"));
  await page.getByRole("region", { name: "Numbers from quick.csv" }).waitFor();
  await expect.poll(() => page.evaluate("window.slowWasRead")).toBe(true);
  await page.waitForTimeout(100);
  await expect.poll(() => page.getByRole("region", { name: /^Numbers from/ }).count()).toBe(1);
  await page.getByRole("region", { name: "Numbers from quick.csv" }).waitFor();
});

test("a file may be dropped on the list, and beside the form it is not opened", async () => {
  const { token } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await dropFile(page, "contacts.csv", "phone\n+5511987654321\n", "textarea");
  await page.getByRole("region", { name: "Numbers from contacts.csv" }).waitFor();
  const wasKept = (kind: string, transfer: string) =>
    page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      ${transfer};
      return !document.body.dispatchEvent(new DragEvent("${kind}", { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
  const file = 'dataTransfer.items.add(new File(["1"], "other.csv"))';
  expect(await wasKept("dragover", file)).toBe(true);
  expect(await wasKept("drop", file)).toBe(true);
  expect(await wasKept("drop", 'dataTransfer.setData("text/plain", "+1")')).toBe(false);
  await expect.poll(() => page.getByRole("region", { name: "Numbers from other.csv" }).count()).toBe(0);
});

test("the focus goes on where the next thing is", async () => {
  const { token } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await dropFile(page, "contacts.csv", "phone\n+5511987654321\n");
  await page.getByRole("button", { name: "Do not add" }).click();
  await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("file");
  await dropFile(page, "contacts.csv", "phone\n+5511987654321\n");
  await page.getByRole("button", { name: "Add 1 number" }).click();
  await expect.poll(() => focused(page)).toBe("bulk-numbers");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => focused(page)).toBe("bulk-numbers");
  await expect.poll(() => page.getByLabel("Numbers", { exact: true }).inputValue()).toBe("");
});

test.each([375, 1280, 1440])("results are readable without scrolling sideways at %d pixels", async (width) => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH, { width });
  await fillIn(page, ["+12025550123", "+1202", "+55119876543210000"], keys.live);
  await start(page);
  await phase(page, "done");
  const region = page.getByRole("region", { name: "Results" });
  const reason = region.getByText(/^Too short/).filter({ visible: true });
  await expect.poll(() => reason.innerText()).toMatch(/^Too short TOO_SHORT$/);
  const box = (await reason.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  const sideways =
    "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('table').parentElement)";
  await expect.poll(() => page.evaluate(sideways)).toBe(false);
  // Badge and input stand on one line.
  const row = region.locator("tbody tr").first();
  const middleOf = async (inside: string) => {
    const { y, height } = (await row.locator(inside).boundingBox())!;
    return y + height / 2;
  };
  expect(Math.abs((await middleOf("td span span")) - (await middleOf("[data-input]")))).toBeLessThan(2);
});
