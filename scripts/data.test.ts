import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPrefixTable } from "../worker/phone/prefix-table.ts";
import { run } from "./data.ts";
import { encodePrefixTable } from "./data/encode.ts";

const PREFIX_TABLES = ["carrier.bin", "location.bin", "time-zones.bin"];
const TABLES = ["plans.bin", ...PREFIX_TABLES];
const COMMITTED = join(import.meta.dirname, "../worker/phone/data");

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "data-test-"));
  vi.spyOn(console, "log").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

describe("the committed tables", () => {
  it("are what the npm packages give", () => {
    run(["--out", directory]);
    for (const name of TABLES) {
      const same = readFileSync(join(directory, name)).equals(readFileSync(join(COMMITTED, name)));
      expect(same, `${name} differs from what npm run data writes`).toBe(true);
    }
  });

  it("leave room for the rest of the Worker", () => {
    const gzipped = TABLES.map((name) => gzipSync(readFileSync(join(COMMITTED, name))).length);
    expect(gzipped.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(700_000);
  });
});

describe("the resources of a libphonenumber checkout", () => {
  function put(path: string, text: string): void {
    const target = join(directory, "checkout", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  function build() {
    run(["--from", join(directory, "checkout/resources"), "--out", join(directory, "out")]);
    const [carrier, location, timeZones] = PREFIX_TABLES.map((name) =>
      openPrefixTable(new Uint8Array(readFileSync(join(directory, "out", name))).buffer),
    );
    return { carrier: carrier!, location: location!, timeZones: timeZones! };
  }

  beforeEach(() => {
    put("resources/carrier/en/41.txt", "# A comment\n\n4178|Salt\n41781|Salt Mobile\n");
    put("resources/carrier/en/44.txt", "447781|Sure\n");
    put("resources/carrier/de/41.txt", "4178|Salz\n");
    put("resources/geocoding/en/41.txt", "4143|Zürich\r\n4144|Zürich\r\n41449|\r\n");
    put("resources/timezones/map_data.txt", "1|America/New_York&America/Chicago\n41|Europe/Zurich\n");
    put(
      "java/pom.xml",
      "<project>\n  <artifactId>libphonenumber-parent</artifactId>\n  <version>9.0.35-SNAPSHOT</version>\n</project>\n",
    );
  });

  it("give tables of their English texts", () => {
    const { carrier, location, timeZones } = build();
    expect(carrier.lookup("41780000000")).toBe("Salt");
    expect(carrier.lookup("41781000000")).toBe("Salt Mobile");
    expect(carrier.lookup("447781123456")).toBe("Sure");
    expect(carrier.lookup("41440000000")).toBeNull();
    expect(location.lookup("41431234567")).toBe("Zürich");
    expect(location.lookup("41449234567")).toBeNull();
    expect(timeZones.lookup("1")).toBe("America/New_York&America/Chicago");
  });

  it("give the release that the checkout is of", () => {
    expect(build().carrier.version).toBe("9.0.35");
  });

  it("need not be in a whole checkout", () => {
    rmSync(join(directory, "checkout/java"), { recursive: true });
    expect(build().carrier.version).toBe("unknown");
  });

  it.each([
    ["no separator", "41781 Salt"],
    ["no prefix", "|Salt"],
    ["a plus sign", "+4178|Salt"],
    ["letters", "41x|Salt"],
    ["more digits than E.164 has", "1234567890123456|Salt"],
  ])("are refused with file and line: %s", (_, line) => {
    put("resources/carrier/en/41.txt", `# A comment\n4178|Salt\n${line}\n`);
    expect(build).toThrow(`41.txt:3: expected prefix|text, found ${JSON.stringify(line)}`);
  });

  it("are refused when a prefix is there twice", () => {
    put("resources/geocoding/en/41.txt", "4143|Zurich\n4143|Geneva\n");
    expect(build).toThrow(/41\.txt:2: the prefix 4143 is there twice/);
  });

  it("are refused when a folder is empty or missing", () => {
    rmSync(join(directory, "checkout/resources/carrier/en/41.txt"));
    rmSync(join(directory, "checkout/resources/carrier/en/44.txt"));
    expect(build).toThrow(/holds no \.txt files/);
    rmSync(join(directory, "checkout/resources/carrier"), { recursive: true });
    expect(build).toThrow(/ENOENT/);
  });
});

describe("the command line", () => {
  it("refuses options it does not know", () => {
    expect(() => run(["--form", directory])).toThrow(/--form/);
  });
});

describe("encoding", () => {
  it("does not depend on the order of the prefixes", () => {
    const entries = Array.from({ length: 500 }, (_, i) => [String(i * 37 + 1), `Area ${i % 90}`] as const);
    const forwards = encodePrefixTable(new Map(entries), "9.0.27");
    const backwards = encodePrefixTable(new Map(entries.toReversed()), "9.0.27");
    expect(Buffer.from(backwards).equals(forwards)).toBe(true);
  });
});
