import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { verify } from "../test/engine.ts";
import manifest from "../contract/data-manifest.json" with { type: "json" };
import { REGISTER_COUNTRIES, registerFile } from "../contract/registers.ts";
import { openRegister } from "../worker/phone/allocation.ts";
import { openPrefixTable } from "../worker/phone/prefix-table.ts";
import { COMMITTED, compilePackages, compileResources, compileZones, run } from "./data.ts";
import { compileCountries } from "./data/countries.ts";
import { decodePrefixTable, encodePrefixTable } from "./data/encode.ts";
import { packagePlans } from "./data/packages.ts";
import { readResources } from "./data/resources.ts";

const plans = packagePlans();
const committed = (name: string) => readFileSync(join(COMMITTED, name));

describe("the committed tables", () => {
  it("match the manifest, with source, release, date, and digest", () => {
    const files = readdirSync(COMMITTED).filter((name) => /\.(bin|jsonl?)$/.test(name) && name !== "countries.jsonl");
    expect(Object.keys(manifest)).toEqual(files.toSorted());
    for (const [name, { sha256, ...entry }] of Object.entries(manifest)) {
      expect(createHash("sha256").update(committed(name)).digest("hex"), `the digest of ${name}`).toBe(sha256);
      if (!("source" in entry)) continue;
      const { source, release, date } = entry;
      expect(source).toMatch(
        /^(libphonenumber-js \d+\.\d+\.\d+|libphonenumber resources|tzdb, in Node \d+\.\d+\.\d+|tzdb, by our table of area codes)$/,
      );
      if (source.startsWith("libphonenumber"))
        expect([release, date].join()).toMatch(/^\d+\.\d+\.\d+,\d{4}-\d\d-\d\d$/);
    }
  });

  it("are of the manifest's release", () => {
    for (const name of ["carrier.jsonl", "location.jsonl", "time-zones.jsonl"] as const) {
      expect(openPrefixTable(committed(name).toString()).release).toBe(manifest[name].release);
    }
  });

  it("have each register's dates, in the manifest and in the table", () => {
    expect(Object.keys(manifest).filter((name) => name.startsWith("allocation-"))).toEqual(
      REGISTER_COUNTRIES.map(registerFile).toSorted(),
    );
    for (const file of REGISTER_COUNTRIES.map(registerFile)) {
      const { as_of, unassigned_until } = openRegister(committed(file).toString());
      expect(manifest[file]).toEqual({ ...manifest[file], date: as_of, unassigned_until });
    }
  });

  it("match the npm packages they come from, and our table of time zones", () => {
    const tables = new Map([...compilePackages(plans), ...compileZones(committed("location.jsonl").toString())]);
    expect([...tables.keys()]).toEqual(["plans.bin", "country-zones.json", "time-zones.jsonl"]);
    for (const [name, { bytes, source, release }] of tables) {
      expect(committed(name).equals(bytes), `${name} differs from what npm run data writes`).toBe(true);
      expect(manifest[name as keyof typeof manifest]).toMatchObject({ source, release });
    }
  });
});

describe("the countries", () => {
  const countries = compileCountries(COMMITTED, plans);
  const byCode = (code: string) => countries.find(({ country_code }) => country_code === code);

  it("are derived from the committed tables", () => {
    const lines = countries.map((country) => `${JSON.stringify(country)}\n`).join("");
    expect(committed("countries.jsonl").toString() === lines, "npm run data writes others").toBe(true);
  });

  it("are compiled without the tables of registers too, before a new one has its first", () => {
    const folder = mkdtempSync(join(tmpdir(), "countries-test-"));
    cpSync(COMMITTED, folder, { recursive: true, filter: (path) => !path.includes("allocation-") });
    const codes = compileCountries(folder, plans).map(({ country_code }) => country_code);
    rmSync(folder, { recursive: true });
    expect(codes).toEqual(countries.map(({ country_code }) => country_code));
  });

  it("are those with plans, and each type has an example of one of its lengths", () => {
    expect(countries.map(({ country_code }) => country_code)).toEqual(Object.keys(plans.metadata.countries).toSorted());
    for (const { country_code, country_prefix, numbers } of countries) {
      // Morocco's plan covers Western Sahara's numbers.
      expect(numbers.length > 0, country_code).toBe(country_code !== "EH");
      for (const { number_type, lengths, example } of numbers) {
        const result = verify(example.number);
        const { local_format } = result;
        expect(result).toMatchObject({ valid: true, country_code, number_type, country_prefix });
        expect(local_format).toBe(example.local_format);
        expect(lengths).toContain(result.national_number!.length);
        expect(verify(example.local_format, country_code).number).toBe(example.number);
      }
    }
  });

  it("have the prefixes dialed before a number, without patterns", () => {
    const prefixes = ["GB", "US", "HU", "RU", "AU", "BR", "IT"].map((code) => [
      code,
      byCode(code)?.national_prefix,
      byCode(code)?.international_prefix,
    ]);
    expect(prefixes).toEqual([
      ["GB", "0", "00"],
      ["US", "1", "011"],
      ["HU", "06", "00"],
      ["RU", "8", "810"],
      ["AU", "0", "0011"],
      ["BR", "0", null],
      ["IT", null, "00"],
    ]);
  });

  it("have the lengths that the plan assigns", () => {
    const lengths = (code: string, type: string) =>
      byCode(code)?.numbers.find(({ number_type }) => number_type === type)?.lengths;
    expect(lengths("BR", "mobile")).toEqual([10, 11]);
    expect(lengths("GB", "mobile")).toEqual([10]);
    expect(lengths("GB", "fixed_line")).toEqual([9, 10]);
    expect(lengths("US", "mobile")).toBeUndefined();
  });

  it("say what results can tell", () => {
    expect(byCode("GB")?.known).toEqual({ carrier: true, line_type: true, location: true, number_portability: true });
    expect(byCode("AD")?.known).toEqual({ carrier: true, line_type: true, location: false, number_portability: false });
    expect(byCode("AR")?.known).toMatchObject({ carrier: false, line_type: true });
  });
});

describe("the resources of a libphonenumber checkout", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "data-test-"));
    vi.spyOn(console, "log").mockImplementation(() => {});
    put("resources/carrier/en/41.txt", "# A comment\n  # Another\n\n4178|Salt\n41781|Salt Mobile\n");
    put("resources/carrier/en/44.txt", "447781|Sure\n");
    put("resources/carrier/de/41.txt", "4178|Salz\n");
    put("resources/geocoding/en/41.txt", "4143|Zürich\r\n4144|Zürich\r\n41449|\r\n");
    put(
      "resources/PhoneNumberMetadata.xml",
      `<phoneNumberMetadata><territories>
        <territory id="CH" countryCode="41" mobileNumberPortableRegion="true"/>
        <territory id="LI" countryCode="423"/>
      </territories></phoneNumberMetadata>`,
    );
    putShortNumbers("3", "11[278]");
    put("release_notes.txt", "Jul 6, 2026: v9.0.35\nMetadata changes:\n\nJul 02, 2026: v9.0.34\n");
  });

  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(directory, { recursive: true });
  });

  function put(path: string, text: string): void {
    const target = join(directory, "checkout", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  function putShortNumbers(lengths: string, pattern: string): void {
    put(
      "resources/ShortNumberMetadata.xml",
      `<phoneNumberMetadata><territories><territory id="CH">
        <shortCode><possibleLengths national="${lengths}"/><nationalNumberPattern>${pattern}</nationalNumberPattern></shortCode>
      </territory></territories></phoneNumberMetadata>`,
    );
  }
  const read = () => readResources(join(directory, "checkout/resources"));
  function build() {
    const tables = compileResources(read());
    const [carrier, location] = ["carrier.jsonl", "location.jsonl"].map((name) =>
      openPrefixTable(Buffer.from(tables.get(name)!.bytes).toString()),
    );
    const [portability, shortNumbers] = ["portability.json", "short-numbers.json"].map(
      (name) => JSON.parse(Buffer.from(tables.get(name)!.bytes).toString()) as unknown,
    );
    return { tables, carrier: carrier!, location: location!, portability, shortNumbers };
  }

  it("produce tables of their English texts", () => {
    const { carrier, location, portability, shortNumbers } = build();
    expect(carrier.lookup("41780000000")).toBe("Salt");
    expect(carrier.lookup("41781000000")).toBe("Salt Mobile");
    expect(carrier.lookup("447781123456")).toBe("Sure");
    expect(carrier.lookup("41440000000")).toBeNull();
    expect(location.lookup("41431234567")).toBe("Zürich");
    expect(location.lookup("41449234567")).toBeNull();
    expect(portability).toEqual(["CH"]);
    expect(shortNumbers).toEqual({ CH: ["11[278]"] });
  });

  it("get our corrections", () => {
    put("resources/geocoding/en/1.txt", "1257|British Colombia\n");
    expect(build().location.lookup("12575550123")).toBe("British Columbia");
  });

  it.each([
    ["Google's release notes", "release_notes.txt", "Jul 16, 2026: libphonenumber-9.0.35\n - More\n"],
    ["a file that says so", "RELEASE.txt", "Data files of Google's libphonenumber, release 9.0.35 (2026-07-16).\n"],
  ])("have a release and its date: %s", (_, name, text) => {
    rmSync(join(directory, "checkout/release_notes.txt"));
    put(name, text);
    expect(build().tables.get("carrier.jsonl")).toMatchObject({ release: "9.0.35", date: "2026-07-16" });
    expect(build().carrier.release).toBe("9.0.35");
  });

  it("are rejected if their release can't be determined", () => {
    rmSync(join(directory, "checkout/release_notes.txt"));
    expect(read).toThrow(/identifies its release/);
  });

  it.each([
    ["no separator", "41781 Salt"],
    ["no prefix", "|Salt"],
    ["a plus sign", "+4178|Salt"],
    ["letters", "41x|Salt"],
    ["more digits than E.164 has", "1234567890123456|Salt"],
  ])("are rejected with file and line: %s", (_, line) => {
    put("resources/carrier/en/41.txt", `# A comment\n4178|Salt\n${line}\n`);
    expect(read).toThrow(`41.txt:3: expected prefix|text, found ${JSON.stringify(line)}`);
  });

  it("are rejected for a duplicate prefix", () => {
    put("resources/geocoding/en/41.txt", "4143|Zurich\n4143|Geneva\n");
    expect(read).toThrow(/41\.txt:2: duplicate prefix 4143/);
  });

  it("are rejected if a short number's lengths allow less than its pattern", () => {
    putShortNumbers("3", "11[278]\\d?");
    expect(build).toThrow(/CH: the lengths of shortCode shorten its pattern/);
  });

  it("are rejected if a folder is empty or missing", () => {
    rmSync(join(directory, "checkout/resources/carrier/en/41.txt"));
    rmSync(join(directory, "checkout/resources/carrier/en/44.txt"));
    expect(read).toThrow(/has no \.txt files/);
    rmSync(join(directory, "checkout/resources/carrier"), { recursive: true });
    expect(read).toThrow(/ENOENT/);
  });

  it("are compiled over older tables with a list of changes, unless they lose or alter too much", async () => {
    const carriers = Array.from({ length: 100 }, (_, number) => `417${String(number).padStart(2, "0")}|Salt ${number}`);
    const out = join(directory, "out");
    const compile = (lines: readonly string[], ...more: string[]) => {
      put("resources/carrier/en/41.txt", lines.join("\n"));
      return run(["--from", join(directory, "checkout/resources"), "--out", out, ...more]);
    };
    const carrier = (digits: string) =>
      openPrefixTable(readFileSync(join(out, "carrier.jsonl"), "utf8")).lookup(digits);

    await compile(carriers);
    expect(JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"))).toMatchObject({
      "carrier.jsonl": { source: "libphonenumber resources", release: "9.0.35", date: "2026-07-06" },
      "plans.bin": { source: plans.source, release: plans.release, date: plans.date },
    });

    const changes = await compile([...carriers.slice(1), "41700|Swisscom", "418|Sunrise"]);
    expect(changes).toContain("## plans.bin: nothing changed");
    expect(changes).toContain("## carrier.jsonl: 1 changed");
    expect(changes).toMatch(/\n- \+41 Switzerland: 1 new, 1 changed of 100 \(.*41700: Salt 0 → Swisscom.*\)/);
    expect(changes).toContain("418: none → Sunrise");
    expect(carrier("41700")).toBe("Swisscom");

    const altered = carriers.map((line, place) => (place < 20 ? `${line}!` : line));
    await expect(compile(altered)).rejects.toThrow("carrier.jsonl: 19.6 % altered, at most 15 % may be");
    putShortNumbers("3", "117");
    put(
      "resources/PhoneNumberMetadata.xml",
      `<phoneNumberMetadata><territories>
        <territory id="LI" countryCode="423" mobileNumberPortableRegion="true"/>
      </territories></phoneNumberMetadata>`,
    );
    await expect(compile(carriers.slice(3))).rejects.toThrow(
      [
        "carrier.jsonl: 3.9 % lost, at most 2 % may be",
        "short-numbers.json: 66.7 % lost, at most 2 % may be",
        "short-numbers.json: 66.7 % of the numbers of CH lost, at most 50 % may be",
        "portability.json: 100 % lost, at most 2 % may be",
        "If this is right, add --accept-losses.",
      ].join("\n"),
    );
    expect(carrier("41700")).toBe("Swisscom");
    expect(readFileSync(join(out, "portability.json"), "utf8")).toBe('["CH"]\n');
    const accepted = await compile(carriers.slice(3), "--accept-losses");
    expect(accepted).toContain(
      "## short-numbers.json: 1 changed\n\n- Switzerland: 2 lost of 3 (112: shortCode → none)\n",
    );
    expect(accepted).toContain(
      "## portability.json: 2 changed\n\n- Switzerland: 1 lost of 1 (CH: there → none)\n- Liechtenstein: 1 new of 0",
    );
    expect(accepted).toContain("## country-zones.json: nothing changed");
    expect(accepted).toContain('- location 1257: "British Colombia" is now null\n');
    expect(accepted).toContain('## Rows of carriers.tsv that no longer apply\n\n- +1 "Cable & Wireless"\n');
    expect(accepted).toContain('## Carrier names to look up\n\n- +224 "Intercel": known, not opened: ');
    expect(carrier("41700")).toBeNull();
  });
});

describe("registers", () => {
  it("are compiled where the folder has them; a rejected one keeps its old table", async () => {
    const [directory, out] = [mkdtempSync(join(tmpdir(), "registers-")), mkdtempSync(join(tmpdir(), "out-"))];
    vi.spyOn(console, "log").mockImplementation(() => {});
    const mexico = (rows: string) =>
      writeFileSync(join(directory, "ift-ranges-2026-08.tsv"), `from\tto\ttype\tholder\n${rows}`);
    const compile = (...more: string[]) => run(["--registers", directory, "--out", out, ...more]);
    const table = () => readFileSync(join(out, "allocation-mx.jsonl"), "utf8");
    try {
      mexico("5512340000\t5512344999\tmobile\tA\n5512345000\t5512349999\tmobile\tA\n");
      const said = await compile();
      expect(said).toContain("| MX | fixed_line_or_mobile |");
      expect(said).toContain(`allocation-us.jsonl: not in ${directory}`);
      const before = table();
      writeFileSync(
        join(directory, "minsifry-DEF-9xx-2026-08-19.csv"),
        "АВС/ DEF;От;До;Оператор\n916;0000000;1999999;A\n",
      );
      writeFileSync(join(directory, "ift-ranges-2026-08.tsv"), "<html>");
      await expect(compile()).rejects.toThrow(
        "allocation-mx.jsonl: ift-ranges-2026-08.tsv is HTML, not data\nTheir old tables stay",
      );
      expect(table()).toBe(before);
      expect(readFileSync(join(out, "allocation-ru.jsonl"), "utf8")).toContain('"holder":"A"');
      expect(JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"))).toMatchObject({
        "allocation-mx.jsonl": { date: "2026-08-01", rows: 2 },
        "allocation-ru.jsonl": { unassigned_until: "2027-02-19" },
      });
      mexico("5512340000\t5512349999\tmobile\tA\n");
      // Half as many rows.
      expect(await compile("--accept-losses")).toContain("| MX | fixed_line_or_mobile |");
    } finally {
      vi.restoreAllMocks();
      for (const folder of [directory, out]) rmSync(folder, { recursive: true });
    }
  });
});

describe("the command line", () => {
  it("rejects unknown options", async () => {
    await expect(run(["--form", "folder"])).rejects.toThrow(/--form/);
  });
});

describe("encoding", () => {
  it.each(["carrier.jsonl", "location.jsonl", "time-zones.jsonl"])("%s is what its decoded prefixes make", (name) => {
    const table = committed(name).toString();
    expect(encodePrefixTable(decodePrefixTable(table), openPrefixTable(table).release) === table).toBe(true);
  });

  it("doesn't depend on the order of the prefixes", () => {
    const entries = Array.from({ length: 500 }, (_, i) => [String(i * 37 + 1), `Area ${i % 90}`] as const);
    const forwards = encodePrefixTable(new Map(entries), "9.0.27");
    const backwards = encodePrefixTable(new Map(entries.toReversed()), "9.0.27");
    expect(backwards).toBe(forwards);
  });
});
