import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import { withSources } from "./files.ts";
import { run } from "../local/run.ts";
import { inTemporaryFolder, RELEASED, versionOf } from "./toolchain.ts";
import type { SdkToolchain } from "./toolchain.ts";

const FOLDER = sdkFolder("java");
const ARTIFACT = "maven/example/checkline/checkline";

/** JUnit's console and its dependencies, where Debian installs Java libraries. */
const JUNIT = [
  "junit-jupiter-api",
  "junit-jupiter-engine",
  "junit-jupiter-params",
  "junit-platform-commons",
  "junit-platform-console",
  "junit-platform-engine",
  "junit-platform-launcher",
  "junit-platform-reporting",
  "opentest4j",
  "opentest4j-reporting-events",
  "opentest4j-reporting-schema",
  "apiguardian-api",
  "picocli",
].map((name) => `/usr/share/java/${name}.jar`);

const JAVAC = ["--release", "17", "-encoding", "UTF-8", "-Werror"];
const JAVADOC = [
  "--release",
  "17",
  "-encoding",
  "UTF-8",
  "-Werror",
  "-Xdoclint:all",
  "-quiet",
  "-notimestamp",
  "-noindex",
];

/** Where Debian has what Maven would otherwise download. */
const MAVEN_REPOSITORY = "/usr/share/maven-repo";
/** Debian's versions, which show whether its packages are installed. Surefire's is only in Debian. */
const SUREFIRE = "2.22.3";
const PLUGINS = { compiler: "3.10.1", jar: "3.3.0", resources: "3.3.0", surefire: SUREFIRE };

/** The files below a folder, relative to it, in a stable order. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

function sources(root: string, folder: string): string[] {
  return filesIn(join(root, folder)).map((file) => join(folder, file));
}

async function jar(file: string, content: string): Promise<void> {
  cpSync(join(FOLDER, "LICENSE"), join(content, "META-INF/LICENSE"));
  const module = existsSync(join(content, "module-info.class")) ? [`--module-version=${SDK_VERSION}`] : [];
  await run("jar", ["--create", `--file=${file}`, `--date=${RELEASED}`, ...module, ...filesIn(content)], {
    cwd: content,
  });
}

function metadata(): string {
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<metadata>`,
    `  <groupId>example.checkline</groupId>`,
    `  <artifactId>checkline</artifactId>`,
    `  <versioning>`,
    `    <latest>${SDK_VERSION}</latest>`,
    `    <release>${SDK_VERSION}</release>`,
    `    <versions>`,
    `      <version>${SDK_VERSION}</version>`,
    `    </versions>`,
    `    <lastUpdated>${RELEASED.replace(/\D/g, "")}</lastUpdated>`,
    `  </versioning>`,
    `</metadata>`,
    ``,
  ].join("\n");
}

/** Adds the checksums that Maven requests to every file below a folder. */
function addChecksums(folder: string): void {
  for (const file of filesIn(folder)) {
    for (const algorithm of ["sha1", "sha256"]) {
      const digest = createHash(algorithm)
        .update(readFileSync(join(folder, file)))
        .digest("hex");
      writeFileSync(join(folder, `${file}.${algorithm}`), digest);
    }
  }
}

/** Builds a Maven repository with the jar, sources, documentation, and POM. */
async function build(out: string): Promise<void> {
  const release = join(out, ARTIFACT, SDK_VERSION);
  mkdirSync(release, { recursive: true });
  await withSources("java", async (work) => {
    const main = sources(work, "src/main/java");
    await run("javac", [...JAVAC, "-Xlint:all", "-d", join(work, "classes"), ...main], { cwd: work });
    cpSync(join(work, "src/main/java"), join(work, "sources"), { recursive: true });
    await run("javadoc", [...JAVADOC, "-d", join(work, "javadoc"), ...main], { cwd: work });
    await jar(join(release, `checkline-${SDK_VERSION}.jar`), join(work, "classes"));
    await jar(join(release, `checkline-${SDK_VERSION}-sources.jar`), join(work, "sources"));
    await jar(join(release, `checkline-${SDK_VERSION}-javadoc.jar`), join(work, "javadoc"));
    cpSync(join(work, "pom.xml"), join(release, `checkline-${SDK_VERSION}.pom`));
    writeFileSync(join(out, ARTIFACT, "maven-metadata.xml"), metadata());
    addChecksums(join(out, ARTIFACT));
  });
}

/** Builds the project with Maven, like anyone with the sources would, and runs the tests that need no service. */
async function packageByMaven(work: string): Promise<void> {
  const project = join(work, "project");
  cpSync(FOLDER, project, { recursive: true });
  // Offline and with links to Debian's repository, so that nothing is downloaded or left behind.
  const repository = join(work, "m2");
  await run("cp", ["-rs", MAVEN_REPOSITORY, repository], { cwd: work });
  const settings = [`-Dmaven.repo.local=${repository}`, `-Dsurefire.version=${SUREFIRE}`, "-DfailIfNoTests"];
  const env = { CHECKLINE_CONFORMANCE_URL: "" };
  await run("mvn", ["-B", "-q", "-o", ...settings, "package"], { cwd: project, env });
}

/** Builds and tests with Maven, then reruns all JUnit tests, which see the built jar instead of the sources. */
async function test(built: string, env: Readonly<Record<string, string>>): Promise<void> {
  const library = join(built, sdkWithId("java").file);
  const classPath = [library, ...JUNIT].join(delimiter);
  await inTemporaryFolder(async (work) => {
    const tests = join(work, "tests");
    await packageByMaven(work);
    // Debian's jars reference others that aren't installed, which -Xlint:path would report.
    const lint = ["-Xlint:all,-path", "--class-path", classPath, "-d", tests];
    await run("javac", [...JAVAC, ...lint, ...sources(FOLDER, "src/test/java")], { cwd: FOLDER });
    const runClassPath = [tests, "src/test/resources", classPath].join(delimiter);
    const console = ["org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--fail-if-no-tests"];
    const options = ["--details=summary", `--scan-class-path=${tests}`];
    await run("java", ["--class-path", runClassPath, ...console, ...options], { cwd: FOLDER, env });
  });
}

/** Whether all Debian packages are installed, except the compiler and Maven itself. */
async function hasLibraries(): Promise<boolean> {
  const plugins = Object.entries(PLUGINS).map(([name, version]) =>
    join(MAVEN_REPOSITORY, "org/apache/maven/plugins", `maven-${name}-plugin`, version),
  );
  // The documented command installs with curl.
  return [...JUNIT, ...plugins].every((file) => existsSync(file)) && (await versionOf("curl", "--version")) !== null;
}

export const java: SdkToolchain = {
  id: "java",
  runs: ["java"],
  debianPackages: [
    "default-jdk-headless",
    "junit5",
    "maven",
    "libmaven-compiler-plugin-java",
    "libmaven-jar-plugin-java",
    "libmaven-resources-plugin-java",
    "libsurefire-java",
    "curl",
    "zip",
  ],
  async version() {
    const [compiler, maven] = [await versionOf("javac", "-version"), await versionOf("mvn", "-v")];
    return maven !== null && (await hasLibraries()) ? compiler : null;
  },
  build,
  test,
};
