import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ORIGIN } from "../../contract/origin.ts";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { sdkFolder } from "../../sdks/files.ts";
import { SDK_PACKAGES, sdkPath } from "../../sdks/packages.ts";
import type { SdkId } from "../../sdks/packages.ts";
import { MANIFEST, PACKAGES, sourceDigest } from "./manifest.ts";
import type { BuiltPackage } from "./manifest.ts";
import { withSources } from "./files.ts";

function sourceOf(id: SdkId, file: string): string {
  return readFileSync(join(sdkFolder(id), file), "utf8");
}

const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as Record<string, BuiltPackage>;

/** Where each SDK states its version and default service. */
const STATEMENTS: Readonly<
  Record<
    SdkId,
    { readonly versions: readonly string[]; readonly origin: string; readonly named: readonly [string, RegExp] }
  >
> = {
  javascript: {
    versions: ["package.json", "src/client.ts"],
    origin: "src/client.ts",
    named: ["package.json", /"name": "(.+)"/],
  },
  python: {
    versions: ["src/checkline/_version.py"],
    origin: "src/checkline/_settings.py",
    named: ["pyproject.toml", /^name = "(.+)"/m],
  },
  php: { versions: ["src/Client.php"], origin: "src/Internal/Config.php", named: ["composer.json", /"name": "(.+)"/] },
  ruby: {
    versions: ["lib/checkline/version.rb"],
    origin: "lib/checkline/client.rb",
    named: ["checkline.gemspec", /\.name\s*= "(.+)"/],
  },
  go: { versions: ["doc.go"], origin: "options.go", named: ["go.mod", /^module (.+)$/m] },
  java: {
    versions: ["pom.xml", "src/main/java/example/checkline/Checkline.java"],
    origin: "src/main/java/example/checkline/ChecklineBuilder.java",
    named: ["pom.xml", /<artifactId>(.+)<\/artifactId>/],
  },
  dart: {
    versions: ["pubspec.yaml", "lib/src/client.dart"],
    origin: "lib/src/client.dart",
    named: ["pubspec.yaml", /^name: (.+)$/m],
  },
};

describe.each(SDK_PACKAGES)("the package for $label", ({ id, file, install, registry, requires }) => {
  test("was built from the current sources (npm run build:sdks)", () => {
    expect(manifest[id]?.sources).toBe(sourceDigest(id));
  });

  test("is the one that was built", () => {
    const bytes = readFileSync(join(PACKAGES, file));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(manifest[id]?.sha256);
    expect(bytes.length).toBe(manifest[id]?.bytes);
  });

  test("has the common version, and calls this service", () => {
    const stated = /(?<!model)version\W+(\d+\.\d+\.\d+)|checkline-javascript\/(\d+\.\d+\.\d+)/i;
    for (const source of STATEMENTS[id].versions) {
      const [, version, inUserAgent] = stated.exec(sourceOf(id, source)) ?? [];
      expect([source, version ?? inUserAgent]).toStrictEqual([source, SDK_VERSION]);
    }
    expect(sourceOf(id, STATEMENTS[id].origin)).toMatch(new RegExp(`["']${ORIGIN}["']`));
    expect(sourceOf(id, "CHANGELOG.md")).toContain(SDK_VERSION);
  });

  test("is built for the site that serves it", async () => {
    vi.stubEnv("PUBLIC_ORIGIN", "https://phone.example.org");
    await withSources(id, async (folder) => {
      const copied = readFileSync(join(folder, STATEMENTS[id].origin), "utf8");
      expect(copied).toMatch(/["']https:\/\/phone\.example\.org["']/);
      expect(copied).not.toContain(ORIGIN);
    });
    vi.unstubAllEnvs();
  });

  test("has its name in the registry, and a link to its sources", () => {
    const [where, name] = STATEMENTS[id].named;
    const manifestOf = sourceOf(id, where);
    // Maven's name is group and artifact; the group is in the file too.
    expect(name.exec(manifestOf)?.[1]).toBe(registry.package.split(":").at(-1));
    expect(manifestOf).toContain(registry.package.split(":")[0]);
    expect(sourceOf(id, id === "go" ? "README.md" : where)).toContain(`${ORIGIN}${sdkPath(id)}`);
  });

  test("is what the command installs", () => {
    expect(install).toContain(SDK_VERSION);
    expect(install).toContain(id === "go" ? "/sdks/go" : file);
    expect(sourceOf(id, "README.md")).toContain(install);
    // Composer needs its zip extension to read packages from a folder.
    if (install.includes("artifact")) expect(requires).toContain("zip extension");
  });
});
