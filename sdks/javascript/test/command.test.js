import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ending, KEY, openStage, PROGRAM, resultOf, start } from "./command.js";

/** A workbook with a name and a number. */
const BOOK = readFileSync(new URL("book.xlsx", import.meta.url));

const listOf = (count) =>
  `id,phone\n${Array.from({ length: count }, (_, at) => `${at},+1202${String(at).padStart(7, "0")}\n`).join("")}`;

/** A stage with a list, and functions for its files. */
async function stageWith(t, list, name = "list.csv") {
  const stage = await openStage(t);
  const path = (file) => join(stage.folder, file);
  writeFileSync(path(name), list);
  return { ...stage, stage, path, read: (file = "out.csv") => readFileSync(path(file), "utf8") };
}

/** The first cells of each line of a result. */
function beginnings(text) {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(",").slice(0, 3).join(","));
}

async function until(condition) {
  for (let tries = 0; tries < 500; tries += 1) {
    if (condition()) return;
    await sleep(20);
  }
  assert.fail("waited in vain");
}

describe("checkline verify", () => {
  test("keeps every row and column as written, and appends the results", async (t) => {
    const rows = [
      '"Doe; Jane";"0171 1234567";Deutschland',
      "",
      '"An ""odd""\r\nname";12;Deutschland',
      "Max;+4930901820;Atlantis",
      'Eve;"=""0171 99""";',
      "Sum;4.15E+11;DE",
      'Ann;"tel:+49301;ext=5"',
    ];
    const list = ["\uFEFFName;Mobil;Land", ...rows].join("\r\n");
    const { run, stage, read, folder } = await stageWith(t, list);
    const { exit, stdout, stderr } = await run(["verify", "list.csv", "--out", "out.csv", "--country", "at"]);
    assert.deepEqual({ exit, stdout, stderr }, { exit: 0, stdout: "", stderr: "" });
    const result = read();
    assert.ok(result.startsWith("\uFEFFName;Mobil;Land;outcome;valid;number;"), result.slice(0, 60));
    assert.ok(result.split("\r\n")[0].endsWith(";note"));
    const outcomes = ["valid;true;0171 1234567;", "not_sent;;", "invalid;false;12;", "valid;true;+4930901820;"];
    for (const [at, outcome] of [...outcomes, "valid;", "not_sent;;", "invalid;"].entries()) {
      const padding = ["", ";;", "", "", "", "", ";"][at];
      assert.ok(result.includes(`\r\n${rows[at]}${padding};${outcome}`), rows[at]);
    }
    assert.match(result, /Too short for this country\. Add the missing digits\.\r\n/);
    assert.deepEqual(stage.asked, [
      { number: "0171 1234567", country: "DE" },
      { number: "12", country: "DE" },
      { number: "+4930901820" },
      { number: "0171 99", country: "AT" },
      { number: "tel:+49301;ext=5", country: "AT" },
    ]);
    assert.deepEqual([...stage.keys], [`Bearer ${KEY}`]);
    assert.deepEqual(readdirSync(folder).toSorted(), ["list.csv", "out.csv"]);
  });

  test("reads standard input and writes standard output", async (t) => {
    const { run, stage } = await stageWith(t, "");
    for (const args of [["verify"], ["verify", "-"]]) {
      const { exit, stdout, stderr } = await run(args, { input: "+12025550123\n\n+12025550124" });
      assert.deepEqual({ exit, stderr }, { exit: 0, stderr: "" });
      const [head, ...rows] = beginnings(stdout);
      assert.equal(head, "Column 1,outcome,valid");
      assert.deepEqual(rows, ["+12025550123,valid,true", ",not_sent,", "+12025550124,valid,true"]);
    }
    assert.equal(stage.asked.length, 4);
  });

  test("reads pipes, which can be read only once", async (t) => {
    const { stage, folder } = await stageWith(t, listOf(3_000));
    const program = `"${process.execPath}" "${PROGRAM}" verify`;
    const env = { ...process.env, CHECKLINE_API_KEY: KEY, CHECKLINE_BASE_URL: stage.url };
    for (const line of [
      `${program} <(cat list.csv) > out.csv`,
      `cat list.csv | ${program} /dev/stdin > out.csv`,
      `mkfifo pipe && (cat list.csv > pipe &) && ${program} pipe --out out.csv`,
    ]) {
      const child = spawn("bash", ["-c", line], { cwd: folder, env });
      assert.deepEqual(await once(child, "close"), [0, null], line);
      const text = readFileSync(join(folder, "out.csv"), "utf8");
      assert.equal(text.trimEnd().split("\n").length, 3_001, line);
      rmSync(join(folder, "out.csv"));
    }
  });

  test("reads workbooks, contacts, and lists in free form, and writes their rows as CSV", async (t) => {
    const { run, stage, path } = await stageWith(t, "");
    writeFileSync(path("book.xlsx"), BOOK);
    writeFileSync(path("people.vcf"), "BEGIN:VCARD\nFN:Ana, B\nTEL;TYPE=CELL:+5511987654321\nEND:VCARD\n");
    writeFileSync(path("list.txt"), "Ana: +5511987654321\nBob: +12025550123 / +12025550124\n");
    for (const [file, ...rows] of [
      ["book.xlsx", "name,phone,outcome", "Ana,+12025550123,valid"],
      ["people.vcf", "name,phone,type,outcome", '"Ana, B",+5511987654321,cell,valid'],
      ["list.txt", "name,phone,outcome", "Ana,+5511987654321,valid", "Bob,+12025550123,valid", ",+12025550124,valid"],
    ]) {
      const { exit, stdout, stderr } = await run(["verify", file, "--fields", "outcome"]);
      assert.deepEqual({ exit, stderr, rows: stdout.trimEnd().split("\n") }, { exit: 0, stderr: "", rows }, file);
    }
    assert.equal(stage.asked.length, 5);
    assert.match(
      (await run(["verify", "book.xlsx", "--sheet", "Other"])).stderr,
      /no sheet “Other”\. It has: People\./,
    );
    assert.match((await run(["verify", "book.xlsx", "--out", "out.xlsx"])).stderr, /The result is CSV/);
  });

  test("accepts by conditions, and adds the columns that are named", async (t) => {
    const { run, stage, read } = await stageWith(t, listOf(2));
    const conditions = ["--expect-country", "Deutschland", "--accept-types", "mobile, fixed_line"];
    conditions.push("--accept-line-types", "mobile,unknown", "--reject-unallocated");
    stage.reply = (line) => ({ ...resultOf(line), accepted: false, rejected_because: "OTHER_COUNTRY" });
    const command = ["verify", "list.csv", "--out", "out.csv", "--fields", "accepted,number,note", ...conditions];
    assert.equal((await run(command)).exit, 0);
    assert.deepEqual(stage.asked[0], {
      number: "+12020000000",
      expect_country: "DE",
      accept_types: ["mobile", "fixed_line"],
      accept_line_types: ["mobile", "unknown"],
      reject_unallocated: true,
    });
    const [head, row] = read().split("\n");
    assert.equal(head, "id,phone,accepted,number,note");
    assert.equal(row, "0,+12020000000,false,+12020000000,Not accepted: the number belongs to another country.");
    assert.equal((await run([...command, "--resume"])).exit, 0);
    assert.equal(stage.asked.length, 2);
  });

  test("continues no result with conditions that it doesn’t have, or without its own", async (t) => {
    const { run, stage, read } = await stageWith(t, listOf(2));
    const conditions = ["--accept-types", "mobile"];
    for (const [made, continued, message] of [
      [[], conditions, /out\.csv was made without conditions/],
      [[], ["--reject-unallocated"], /out\.csv was made without conditions/],
      [conditions, [], /out2\.csv was made with conditions/],
    ]) {
      const out = made.length === 0 ? "out.csv" : "out2.csv";
      stage.reply = (line) => ({ ...resultOf(line), accepted: made.length === 0 ? null : true });
      await run(["verify", "list.csv", "--out", out, ...made]);
      const [text, requests] = [read(out), stage.requests];
      const { exit, stderr } = await run(["verify", "list.csv", "--out", out, "--resume", ...continued]);
      assert.match(stderr, message);
      assert.deepEqual([exit, read(out), stage.requests], [1, text, requests]);
    }
  });

  test("ends our cells like the first row, whatever its cells contain", async (t) => {
    const { run } = await stageWith(t, '"a\nb",phone\r\n1,+12025550123\r\n');
    const { stdout } = await run(["verify", "list.csv", "--fields", "outcome"]);
    assert.equal(stdout, '"a\nb",phone,outcome\r\n1,+12025550123,valid\r\n');
  });

  test("reads a table of many columns", async (t) => {
    const row = `+12025550123${",".repeat(799)}\n`;
    const { run } = await stageWith(t, `phone${",x".repeat(799)}\n${row.repeat(4_050)}`);
    const { exit, stdout, stderr } = await run(["verify", "list.csv", "--fields", "outcome"]);
    assert.deepEqual([exit, stderr, stdout.split("\n").length], [0, "", 4_052]);
  });

  test("guards formulas, and nothing else", async (t) => {
    const cells = [
      "=1+1",
      '"=HYPERLINK(""http://evil"")"',
      "=cmd|x",
      "＝A1",
      "@x",
      "+a",
      "+1 202 555",
      "-5",
      "a;=1",
      "a=1",
    ];
    const list = `note,phone\n${cells.map((cell) => `${cell},+12025550123\n`).join("")}`;
    const { run } = await stageWith(t, list);
    const notes = async (...more) => {
      const { stdout } = await run(["verify", "list.csv", "--fields", "outcome", ...more]);
      return stdout
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => line.slice(0, line.indexOf(",+12025550123")));
    };
    const kept = (cell) => (/^["=＝@]|^\+a|;=/.test(cell) ? cell.replace(/[=＝@+]/, "'$&") : cell);
    assert.deepEqual(await notes(), cells.map(kept));
    assert.deepEqual(await notes("--raw"), cells);
  });

  test("prints no control characters of a response or an option", async (t) => {
    const { run, stage } = await stageWith(t, listOf(1));
    stage.reply = () => ({ ...ending(400, "\u001B[2JCODE"), error: "\u001B]0;title\u0007" });
    for (const { stderr } of [
      await run(["verify", "list.csv"]),
      await run(["lookup", "1", "--country", "\u001B[2J"]),
    ]) {
      assert.match(stderr, /^checkline: /);
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(stderr, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
    }
  });

  test("finds the columns below a title, or uses those that are named", async (t) => {
    const list = "Customers,,,\n,,,\nFax,Phone,Order,Kontakt\n+4930111111,+4930222222,12345678,+4930333333\n";
    const { run, stage } = await stageWith(t, list);
    await run(["verify", "list.csv"]);
    await run(["verify", "list.csv", "--phone-column", "kontakt"]);
    await run(["verify", "list.csv", "--phone-column", "1"]);
    assert.deepEqual(
      stage.asked.map(({ number }) => number),
      ["+4930222222", "+4930333333", "+4930111111"],
    );
    const { exit, stderr } = await run(["verify", "list.csv", "--phone-column", "Mobile"]);
    assert.equal(exit, 1);
    assert.match(stderr, /no column “Mobile”.*“Fax”, “Phone”, “Order”, “Kontakt”/);
  });

  test("sends a repeated number once", async (t) => {
    const list = `Phone,Country\n${"020 7946 0018,GB\n".repeat(1_200)}020 7946 0018,US\n`;
    const { run, stage, read } = await stageWith(t, list);
    stage.reply = (line) => ({ ...resultOf(line), valid: true, reason: null });
    assert.equal((await run(["verify", "list.csv", "--out", "out.csv"])).exit, 0);
    assert.deepEqual(
      stage.asked.map(({ country }) => country),
      ["GB", "US"],
    );
    assert.equal(read().match(/,valid,true,/g).length, 1_201);
  });

  test("sends a number in several writings once", async (t) => {
    const list = "Phone\n+55 11 98765-4321\n+5511987654321\n+55 (11) 98765 4321\n+55.11.98765.4321\n";
    const { run, stage, read } = await stageWith(t, list);
    stage.reply = (line) => ({ ...resultOf(line), valid: true, reason: null });
    assert.equal((await run(["verify", "list.csv", "--out", "out.csv"])).exit, 0);
    assert.deepEqual(
      stage.asked.map(({ number }) => number),
      ["+55 11 98765-4321", "+55.11.98765.4321"],
    );
    assert.equal(read().match(/,valid,true,/g).length, 4);
  });

  test("continues after it was killed, without sending what is there", async (t) => {
    const { run, start: begin, stage, read, path } = await stageWith(t, listOf(1_200));
    const command = ["verify", "list.csv", "--out", "out.csv"];
    stage.reply = (line, at) => (at < 700 ? resultOf(line) : null);
    const { child, ended } = begin(command);
    await until(() => existsSync(path("out.csv")) && read().split("\n").length === 702);
    child.kill("SIGKILL");
    await ended;
    // As if the disk had lost the end.
    truncateSync(path("out.csv"), Buffer.byteLength(read()) - 70);
    stage.reply = resultOf;
    stage.asked = [];
    const again = await run([...command, "--resume"]);
    assert.deepEqual(again, { exit: 0, stdout: "", stderr: "" });
    assert.equal(stage.asked[0].number, "+12020000699");
    assert.equal(stage.asked.length, 501);
    await run(["verify", "list.csv", "--out", "whole.csv"]);
    assert.equal(read(), read("whole.csv"));
    // Nothing is left.
    stage.asked = [];
    assert.equal((await run([...command, "--resume"])).exit, 0);
    assert.deepEqual([stage.asked, read()], [[], read("whole.csv")]);
  });

  test("sends no number again that is in the result, however often the list has it", async (t) => {
    const list = `Phone,Country,Note\n${'020 7946 0018,GB,"a ""b"""\n"tel:+49301;ext=5",,\n'.repeat(300)}020 7946 0018,US,\n`;
    const { run, stage, read, path } = await stageWith(t, list);
    const command = ["verify", "list.csv", "--out", "out.csv"];
    await run([...command.slice(0, 3), "whole.csv"]);
    const whole = read("whole.csv");
    writeFileSync(path("out.csv"), whole.split("\n").slice(0, 100).join("\n"));
    stage.asked = [];
    assert.equal((await run([...command, "--resume"])).exit, 0);
    assert.deepEqual(stage.asked, [{ number: "020 7946 0018", country: "US" }]);
    assert.equal(read(), whole);
  });

  test("continues from any place where a result may end", async (t) => {
    const list = 'id,phone\n"Zoë ""Z""\nB",+4930901820\n,\nb,+4930901821\n';
    const { run, stage, read, path } = await stageWith(t, list);
    await run(["verify", "list.csv", "--out", "whole.csv"]);
    const whole = readFileSync(path("whole.csv"));
    const rows = whole.indexOf("\n") + 1;
    for (const length of [0, 5, rows, rows + 4, rows + 5, rows + 11, rows + 14, rows + 60, whole.length - 1]) {
      writeFileSync(path("out.csv"), whole.subarray(0, length));
      assert.equal((await run(["verify", "list.csv", "--out", "out.csv", "--resume"])).exit, 0, `${length}`);
      assert.equal(read(), read("whole.csv"), `${length}`);
    }
    // Both numbers at first and after eight of the ends; after the last, only the second.
    assert.equal(stage.asked.length, 2 + 8 * 2 + 1);
  });

  test("doesn't touch another file", async (t) => {
    const { run, stage, read, path } = await stageWith(t, listOf(3));
    const others = ["Something else\n", "", listOf(3)];
    await run(["verify", "list.csv", "--out", "result.csv"]);
    const result = read("result.csv");
    others.push(result.replace("0,+1202", "9,+1202"), `${result}3,+12020000003,valid\n`, `${result}extra`);
    stage.asked = [];
    for (const text of others.filter(Boolean)) {
      writeFileSync(path("out.csv"), text);
      const refused = await run(["verify", "list.csv", "--out", "out.csv", "--resume"]);
      assert.deepEqual([refused.exit, read()], [1, text]);
      assert.match(refused.stderr, /isn’t a result of this list with these columns/);
    }
    const before = [read("out.csv"), read("list.csv")];
    for (const [out, message] of [
      [["out.csv"], /exists\. Add --resume/],
      [["list.csv"], /is the list itself/],
      [[path("list.csv"), "--resume"], /is the list itself/],
    ]) {
      const refused = await run(["verify", "list.csv", "--out", ...out]);
      assert.equal(refused.exit, 1);
      assert.match(refused.stderr, message);
      assert.deepEqual([read("out.csv"), read("list.csv")], before);
    }
    assert.deepEqual(stage.asked, []);
  });

  for (const code of ["QUOTA_EXCEEDED", "KEY_CAP_REACHED"]) {
    test(`stops at ${code}, keeps what is paid for, and says how to go on`, async (t) => {
      const { run, stage, read } = await stageWith(t, listOf(900));
      const quota = { limit: 600, used: 600, remaining: 0, resets_at: "2026-12-01T00:00:00Z" };
      stage.reply = (line, at) => (at < 600 ? resultOf(line) : ending(402, code, { quota }));
      const stopped = await run(["verify", "list.csv", "--out", "out.csv"]);
      assert.equal(stopped.exit, 2);
      assert.match(stopped.stderr, new RegExp(`${code}: A sentence\\. (Raise|Email) .*, or wait for Dec 1, 2026\\.`));
      assert.match(stopped.stderr, /out\.csv has 600 rows\. To continue, run the same command with --resume/);
      assert.equal(read().split("\n").length, 602);
      stage.reply = resultOf;
      stage.asked = [];
      assert.equal((await run(["verify", "list.csv", "--out", "out.csv", "--resume"])).exit, 0);
      assert.equal(stage.asked.length, 300);
      assert.equal(read().split("\n").length, 902);
    });
  }

  test("stops at a long rate limit, the service's failures, and without a connection", async (t) => {
    const { run, stage, path } = await stageWith(t, listOf(3));
    stage.status = [429, "RATE_LIMITED", { "Retry-After": "7200" }];
    const limited = await run(["verify", "list.csv", "--out", "out.csv"]);
    assert.deepEqual([limited.exit, existsSync(path("out.csv"))], [2, false]);
    assert.match(limited.stderr, /^checkline: RATE_LIMITED: A sentence\. Wait 2 hours\./);
    stage.status = null;
    stage.reply = (line, at) => (at < 2 ? resultOf(line) : ending(429, "RATE_LIMITED", { retry_after: 40 }));
    const later = await run(["verify", "list.csv", "--out", "out.csv"]);
    assert.equal(later.exit, 2);
    assert.match(later.stderr, /Wait 40 seconds\.[^]*out\.csv has 2 rows/);
    stage.reply = (line, at) => (at < 4 ? resultOf(line) : ending(500, "INTERNAL_ERROR"));
    const failed = await run(["verify", "list.csv"]);
    assert.equal(failed.exit, 2);
    assert.match(failed.stderr, /INTERNAL_ERROR: A sentence\. Wait a few minutes\. Request req_1\.\n2 rows written/);
    const alone = await run(["verify", "list.csv"], { env: { CHECKLINE_BASE_URL: "http://127.0.0.1:9" } });
    assert.equal(alone.exit, 2);
    assert.match(alone.stderr, /CONNECTION_FAILED: .*127\.0\.0\.1:9.* Check your connection/);
  });

  test("waits for a short rate limit", async (t) => {
    const { run, stage } = await stageWith(t, listOf(3));
    stage.status = [429, "RATE_LIMITED", { "Retry-After": "1" }];
    const ended = run(["verify", "list.csv"]);
    await until(() => stage.requests === 2);
    stage.status = null;
    assert.equal((await ended).exit, 0);
  });

  test("can be interrupted and continued", async (t) => {
    const { run, start: begin, stage, read, path } = await stageWith(t, listOf(20));
    stage.reply = (line, at) => (at < 10 ? resultOf(line) : null);
    const { child, ended } = begin(["verify", "list.csv", "--out", "out.csv"]);
    await until(() => existsSync(path("out.csv")) && read().split("\n").length === 12);
    child.kill("SIGINT");
    const { exit, stderr } = await ended;
    assert.equal(exit, 130);
    assert.match(stderr, /Interrupted\.\nout\.csv has 10 rows/);
    stage.reply = resultOf;
    assert.equal((await run(["verify", "list.csv", "--out", "out.csv", "--resume"])).exit, 0);
    assert.equal(read().split("\n").length, 22);
  });

  test("can be interrupted before the first request", async (t) => {
    const { start: begin, stage } = await stageWith(t, "");
    const { child, ended } = begin(["verify"], { input: null });
    // More than a pipe holds: once it is written, the command is reading it.
    await new Promise((resolve) => child.stdin.write("1".repeat(900_000), resolve));
    child.kill("SIGINT");
    assert.deepEqual(await ended, { exit: 130, stdout: "", stderr: "checkline: Interrupted.\n" });
    assert.equal(stage.requests, 0);
  });

  test("ends quietly when nobody reads its output", async (t) => {
    const { start: begin, folder } = await stageWith(t, listOf(20_000));
    const { child, ended } = begin(["verify", "list.csv"], { cwd: folder });
    child.stdout.once("data", () => child.stdout.destroy());
    const { exit, stderr } = await ended;
    assert.deepEqual([exit, stderr], [1, ""]);
  });

  test("says what is wrong with a key, and shows none", async (t) => {
    const { run, stage, path } = await stageWith(t, listOf(3));
    stage.status = [401, "INVALID_API_KEY"];
    const command = ["verify", "list.csv", "--out", "out.csv"];
    const wrong = await run(command);
    const none = await run(command, { env: { CHECKLINE_API_KEY: "" } });
    const odd = await run(command, { env: { CHECKLINE_API_KEY: `${KEY} ${KEY}` } });
    assert.match(wrong.stderr, /^checkline: INVALID_API_KEY: A sentence\. Set CHECKLINE_API_KEY to a key from/);
    assert.equal(none.stderr, "checkline: No API key. Set CHECKLINE_API_KEY.\n");
    assert.match(odd.stderr, /has characters that no key has/);
    for (const { exit, stdout, stderr } of [wrong, none, odd]) {
      assert.deepEqual([exit, (stdout + stderr).includes(KEY)], [1, false]);
    }
    assert.ok(!existsSync(path("out.csv")));
  });

  test("reads UTF-16, and other encodings that are named", async (t) => {
    const list = "Name,Mobile\nZoë,+4930901820\n";
    const files = { utf16: Buffer.from(`\uFEFF${list}`, "utf16le"), latin: Buffer.from(list, "latin1") };
    for (const [name, bytes] of Object.entries(files)) {
      const { run } = await stageWith(t, bytes);
      const { exit, stdout } = await run([
        "verify",
        "list.csv",
        ...(name === "latin" ? ["--encoding", "windows-1252"] : []),
      ]);
      assert.equal(exit, 0);
      assert.match(stdout, /\nZoë,\+4930901820,valid/);
    }
  });

  test("sends nothing of a file that can't be read to its end", async (t) => {
    const files = [
      ["Name,Mobile\nZo\xEB,+4930901820\n", /isn’t UTF-8.*--encoding/],
      ["PK\x03\x04 workbook", /couldn’t read the workbook/],
      ["\xd0\xcf workbook", /old Excel format/],
      ["%PDF-1.7 +12025550123", /can’t read this file/],
      ["\x00\x01\x02", /isn’t a text file/],
      ["", /is empty/],
      ["BEGIN:VCARD\nTEL:+1202555\nEND:VCARD\nBEGIN:VCARD\nTEL:+1202", /Contact 2 is cut off/],
      ["\n \n", /is empty/],
      ["Name,City\nA,B\nC,D 1\n", /No column has phone numbers.*“Name”, “City”/],
      [`${listOf(600)}1,"+12025550100\n2,+12025550101\n`, /quotation mark in row 602 is never closed/],
      [`${listOf(600)}1,"a"b\n",c\n`, /quotation mark in row 602/],
    ];
    for (const [text, message] of files) {
      const { run, stage, path } = await stageWith(t, Buffer.from(text, "latin1"));
      const { exit, stderr } = await run(["verify", "list.csv", "--out", "out.csv"]);
      assert.match(stderr, message);
      assert.deepEqual([exit, stage.requests, existsSync(path("out.csv"))], [1, 0, false]);
    }
    const { run, stage } = await stageWith(t, listOf(1));
    for (const [args, message] of [
      [["nothing.csv"], /no such file/],
      [["."], /^checkline: \. is a folder\. Name a file\.\n$/],
      [["list.csv", "--out", "no/folder.csv"], /no such file or folder/],
      [["list.csv", "--out", ""], /--out “” names no file/],
      [["list.csv", "--out", "no/"], /--out “no\/” names no file/],
    ]) {
      const { exit, stderr } = await run(["verify", ...args]);
      assert.deepEqual([exit, stage.requests], [1, 0]);
      assert.match(stderr, message);
    }
  });

  test("of standard input stops at a row that is wider than those before", async (t) => {
    const { run } = await stageWith(t, "");
    const input = `${listOf(2_500)}1,+12025550100,extra\n`;
    const { exit, stdout, stderr } = await run(["verify"], { input });
    assert.equal(exit, 1);
    assert.match(stderr, /Row 2,502 has 3 cells/);
    assert.equal(stdout.trimEnd().split("\n").length, 2_501);
  });

  test("needs no more memory for a hundred thousand rows", async (t) => {
    const { run, read, path } = await stageWith(t, listOf(100_000));
    // Without a small young generation, a small heap is collected all the time.
    const env = { NODE_OPTIONS: "--max-old-space-size=64 --max-semi-space-size=2" };
    const command = ["verify", "list.csv", "--out", "out.csv"];
    const { exit, stderr } = await run(command, { env });
    assert.deepEqual([exit, stderr], [0, ""]);
    const whole = read();
    assert.equal(whole.split("\n").length, 100_002);
    truncateSync(path("out.csv"), Buffer.byteLength(whole) - 1);
    assert.deepEqual(await run([...command, "--resume"], { env }), { exit: 0, stdout: "", stderr: "" });
    assert.equal(read(), whole);
  });
});

describe("checkline lookup", () => {
  test("prints a number readably, or as JSON", async (t) => {
    const { run, stage } = await stageWith(t, "");
    stage.reply = () => ({
      valid: true,
      number: "+5511987654321",
      country_name: "Brazil",
      country_code: "BR",
      line_type: "mobile",
      carrier: "TIM",
      time_zones: ["America/Sao_Paulo"],
      deliverability: { sms: "likely", voice: "likely", flags: [] },
    });
    const { exit, stdout } = await run(["lookup", "(11) 98765-4321", "--country", "Brasil"]);
    assert.equal(exit, 0);
    assert.match(stdout, /^Number +\+5511987654321\nValid +yes\nCountry +Brazil \(BR\)\nType +mobile\nCarrier +TIM/);
    assert.deepEqual(stage.asked, [{ number: "(11) 98765-4321", country: "BR" }]);
    const json = JSON.parse((await run(["lookup", "+5511987654321", "--json"])).stdout);
    assert.deepEqual([json.country_name, json.deliverability.sms], ["Brazil", "likely"]);
    stage.reply = () => ({
      valid: false,
      number: null,
      reason: "MISSING_COUNTRY_CODE",
      suggestion: { number: "+5511987654321", reason: "MISSING_PLUS" },
    });
    const invalid = await run(["lookup", "5511987654321"]);
    assert.equal(invalid.exit, 0);
    assert.match(
      invalid.stdout,
      /^Valid +no\. Add \+ and the calling code\. Or pass its country, such as --country DE\.\nDid you mean +\+5511987654321\n/,
    );
  });

  test("fails like verify", async (t) => {
    const { run, stage } = await stageWith(t, "");
    stage.status = [402, "QUOTA_EXCEEDED"];
    assert.equal((await run(["lookup", "+1"])).exit, 2);
    stage.status = [401, "INVALID_API_KEY"];
    assert.equal((await run(["lookup", "+1"])).exit, 1);
  });
});

test("wrong usage prints one line that says why, and exits with 1", async (t) => {
  const { run, stage, path } = await stageWith(t, listOf(1));
  writeFileSync(path("book.xlsx"), BOOK);
  const cases = [
    [[], /Missing command/],
    [["check"], /no command “check”/],
    [["verfy", "list.csv"], /no command “verfy”\. Did you mean verify\?/],
    [["verify", "list.csv", "--fields", "number,colour"], /--fields has no “colour”/],
    [["verify", "list.csv", "--fields", "number,number"], /--fields has “number” twice/],
    [["verify", "list.csv", "--phone-column", "2", "--country-column", "phone"], /“phone” can’t have both/],
    [["verify", "list.csv", "--sheet", "People"], /--sheet is for workbooks/],
    [["verify", "book.xlsx", "--encoding", "windows-1252"], /--encoding is for text files/],
    [["verify", "list.csv", "--accept-types", "cell"], /--accept-types has no “cell”\. It takes: fixed_line, mobile/],
    [["verify", "list.csv", "--fast"], /--fast/],
    [["verify", "list.csv", "other.csv"], /takes one file/],
    [["verify", "list.csv", "--json"], /verify has no option --json/],
    [["verify", "list.csv", "--resume"], /--out/],
    [["verify", "list.csv", "--country", "Atlantis"], /“Atlantis” isn’t a country/],
    [["verify", "list.csv", "--encoding", "klingon"], /no encoding “klingon”/],
    [["verify", "list.csv", "--out"], /--out/],
    [["lookup"], /Missing number/],
    [["lookup", "+1 202", "555", "0123"], /use quotes/],
    [["lookup", "+1", "--out", "a"], /lookup has no option --out/],
    ...[
      ["verify", "list.csv"],
      ["lookup", "+1"],
    ].flatMap((args) => [
      [args, /^checkline: No API key\. Set CHECKLINE_API_KEY\.$/m, { CHECKLINE_API_KEY: "" }],
      [args, /^checkline: CHECKLINE_API_KEY .*characters that no key has/, { CHECKLINE_API_KEY: "a b" }],
      [
        args,
        /no service at .*\. Set CHECKLINE_BASE_URL to yours\.$/m,
        { CHECKLINE_BASE_URL: "https://checkline.example" },
      ],
      [args, /^checkline: CHECKLINE_BASE_URL must be an https URL/, { CHECKLINE_BASE_URL: "notaurl" }],
      [args, /^checkline: CHECKLINE_BASE_URL must be an https URL/, { CHECKLINE_BASE_URL: "ftp://x" }],
    ]),
  ];
  for (const [args, message, env] of cases) {
    const { exit, stdout, stderr } = await run(args, { env });
    assert.deepEqual([exit, stdout, stderr.trimEnd().split("\n").length], [1, "", 1], args.join(" "));
    assert.match(stderr, message);
  }
  assert.equal(stage.requests, 0);
  for (const help of ["--help", "help"]) assert.match((await run([help])).stdout, /Exit codes:/);
  assert.match((await run(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test("the package installs the command", async () => {
  const child = spawn(fileURLToPath(new URL("../.bin/checkline", import.meta.resolve("checkline/package.json"))), [
    "--version",
  ]);
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  assert.deepEqual(await once(child, "close"), [0, null]);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

const service = process.env.CHECKLINE_BASE_URL && process.env.CHECKLINE_API_KEY;

test("the real service", { skip: service ? false : "see npm run test:sdks" }, async (t) => {
  const { folder, path, read } = await stageWith(t, "Phone,Country\n+5511987654321,\n020 7946 0018,UK\n12,\n");
  const { exit, stderr } = await start(["verify", "list.csv", "--out", "out.csv"], { cwd: folder }).ended;
  assert.deepEqual([exit, stderr], [0, ""]);
  assert.match(
    read(),
    /\n\+5511987654321,,valid,true,\+5511987654321,[^]*\n020 7946 0018,UK,valid,true,\+442079460018/,
  );
  // Alone, it's a 400 with its result.
  assert.match(read(), /\n12,,invalid,false,.*Add \+ and the calling code\./);
  assert.match((await start(["lookup", "12"]).ended).stdout, /^Valid +no\. Add \+ and the calling code\./);
  assert.match((await start(["lookup", "+5511987654321"]).ended).stdout, /Carrier +TIM/);
  const wrong = await start(["verify", path("list.csv")], { env: { CHECKLINE_API_KEY: "ch_test_none" } }).ended;
  assert.deepEqual([wrong.exit, wrong.stdout], [1, ""]);
});
