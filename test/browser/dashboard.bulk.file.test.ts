import Papa from "papaparse";
import { expect, test } from "vitest";
import { COUNTRY_CSV, COUNTRY_LIST } from "../country-list.ts";
import { encode } from "../encode.ts";
import { createSignedIn } from "../factories.ts";
import {
  BULK,
  CALLS,
  choose,
  download,
  dropFile,
  fillIn,
  focused,
  pasteList,
  phase,
  press,
  start,
} from "./dashboard.bulk-page.ts";
import { openDashboard } from "./signed-in.ts";
import { openSite } from "./site.ts";
import { chooseCountry } from "./live.ts";

const site = openSite();

test("a file that is chosen again is read again, and the last one counts", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  const list = page.getByRole("region", { name: "The list" });
  await choose(page, "list.csv", "phone\n+5511987654321\n");
  await list.getByRole("cell", { name: "+5511987654321" }).waitFor();
  await choose(page, "list.csv", "phone\n+12025550123\n");
  await list.getByRole("cell", { name: "+12025550123" }).waitFor();
  await page.evaluate(`(() => {
    const transfer = (name, text) => {
      const made = new DataTransfer();
      made.items.add(new File([text], name));
      return made;
    };
    const drop = (dataTransfer) => document.querySelector("[data-drop]").dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    drop(transfer("slow.csv", "name,phone\\n" + "Ana,+5511987654321\\n".repeat(90000)));
    drop(transfer("quick.csv", "phone\\n+442079460018\\n"));
  })()`);
  await list.getByRole("cell", { name: "+442079460018" }).waitFor();
  await page.getByText("1 row · 1 number to verify").waitFor();
  await page.getByText("quick.csv").waitFor();
});

test("a file can be dropped on the list, and is not opened beside the form", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await dropFile(page, "contacts.csv", "phone\n+5511987654321\n", "textarea");
  await page.getByText("contacts.csv").waitFor();
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
  await expect.poll(() => page.getByText("other.csv").count()).toBe(0);
});

test("rows pasted from a spreadsheet keep their columns, and a large paste is treated as a file", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await fillIn(page, ["id\tphone", "1\t+5511987654321", "2\t+12025550123"]);
  await expect.poll(() => page.getByLabel("Phone number column").inputValue()).toBe("1");
  await page.getByRole("button", { name: "Verify 2 numbers" }).waitFor();
  await press(page, "Clear");
  await expect.poll(() => focused(page)).toBe("bulk-numbers");
  await page.getByRole("button", { name: "Verify numbers" }).waitFor();
  await pasteList(page, "+12025550123\n".repeat(5_000));
  await page.getByText("Pasted list").waitFor();
  await page.getByText("5,000 rows · 1 number to verify · 4,999 repeated, verified once").waitFor();
});

test("files and lists as people have them are read", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  const list = page.getByRole("region", { name: "The list" });
  const column = list.getByLabel("Phone number column");
  // The browser's worker loads the detector of encodings.
  const russian =
    "ИНН;Имя;Телефон;Мобильный\n7707083893;Иван Петров;+7 495 123-45-67;\n7707083894;Анна;;+7 916 123-45-68\n";
  await choose(page, "clients.csv", encode(russian, "windows-1251"));
  await list.getByRole("cell", { name: "Иван Петров" }).waitFor();
  await expect.poll(() => column.locator("option:checked").innerText()).toBe("Мобильный");
  await list.getByText("Also with numbers: Телефон.").waitFor();
  await choose(page, "contact.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Ana\nTEL:+5511987654321\nEND:VCARD\n");
  await list.getByRole("cell", { name: "Ana" }).waitFor();
  await press(page, "Remove");
  await fillIn(page, ["Ana, +55 11 98765-4321, +55 11 98765-4322, Você"]);
  await page.getByText("4 rows · 2 numbers to verify · 2 empty").waitFor();
});

test("on a phone, the preview shows the chosen column", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK, { width: 375 });
  const names = ["id", "first name", "last name", "phone", "company", "city"];
  const cells = ["1", "Augusta Ada", "King of Lovelace", "+5511987654321", "Analytical Engines Ltd", "London"];
  await choose(page, "people.csv", `${names.join(",")}\n${cells.join(",")}\n`);
  const region = page.getByRole("region", { name: "First rows" });
  const isInside = async (name: string) => {
    const [view, head] = [await region.boundingBox(), await region.getByText(name, { exact: true }).boundingBox()];
    return head!.x >= view!.x && head!.x + head!.width <= view!.x + view!.width;
  };
  await region.getByText("phone").waitFor();
  await expect.poll(() => isInside("phone")).toBe(true);
  await expect.poll(() => isInside("id")).toBe(false);
  await page.getByLabel("Phone number column").selectOption("id");
  await expect.poll(() => isInside("id")).toBe(true);
  await choose(page, "photo.png", new Uint8Array([0x89, 0x50, 0, 0, 0]));
  await page.getByText("Choose another file first.").waitFor();
  await choose(page, "people.csv", "name\nAda\n");
  await page.getByText("Choose another file first.").waitFor({ state: "detached" });
});

test("results say what to do, and are printed without what filters and saves them", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await fillIn(page, ["+12025550123", "+1202", "+55119876543210000"]);
  await start(page);
  await phase(page, "done");
  const region = page.getByRole("region", { name: "Results" });
  const reason = region.getByText(/^Too short/).filter({ visible: true });
  expect(await reason.innerText()).toContain("TOO_SHORT");
  await page.emulateMedia({ media: "print" });
  const controls = page.locator("main").locator("input, select").filter({ visible: true });
  await expect.poll(() => controls.count()).toBe(0);
  await reason.waitFor();
});

test("each row's country is read, what can't be is shown before the check, and the rows come back right", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await choose(page, "customers.csv", COUNTRY_CSV);
  const list = page.getByRole("region", { name: "The list" });
  await expect.poll(() => list.getByLabel("Country column").inputValue()).toBe("1");
  const unread = list.getByText("3 rows have a country we can’t read: “Untied Kingdom” and “Grmany”.");
  await unread.waitFor();
  // Without a country for all rows there is nothing to choose.
  expect(await unread.innerText()).toMatch(/We verify these rows without a country\.$/);
  await chooseCountry(page.getByLabel("Country for all rows"), "GB");
  await list.getByLabel("Verify these rows").selectOption("With the country for all rows (United Kingdom)");
  await page.getByText("Add conditions").click();
  await page.getByLabel("Country", { exact: true }).selectOption("The row’s country");
  const sent = page.waitForRequest(CALLS);
  await start(page);
  expect(((await sent).postDataJSON() as { numbers: unknown[] }).numbers.slice(0, 2)).toStrictEqual([
    { number: COUNTRY_LIST[0]!.phone, country: "GB", expect_country: "GB" },
    { number: COUNTRY_LIST[1]!.phone, country: "DE", expect_country: "DE" },
  ]);
  await phase(page, "done");
  const { bytes } = await download(page, "CSV for programs");
  const rows = Papa.parse<Record<string, string>>(bytes.toString(), { header: true, skipEmptyLines: true }).data;
  const asBritish: Record<string, string | null> = { "07773 681931": "+447773681931", "0171 9840331": null };
  expect(rows.map(({ valid, number }) => (valid === "true" ? number : null))).toStrictEqual(
    COUNTRY_LIST.map(({ phone, number }) => asBritish[phone] ?? number),
  );
  const accepted = (phone: string) => rows.find(({ Phone }) => Phone === phone)?.["accepted"];
  expect(["447773681930", "07773 681931", "02"].map(accepted)).toStrictEqual(["true", "true", "false"]);
});
