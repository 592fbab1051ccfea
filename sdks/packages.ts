import { ORIGIN } from "../contract/origin.ts";
import { SDK_VERSION } from "../contract/sdks.ts";

export interface Sdk {
  /** Its folder in sdks/, and its name in `User-Agent: checkline-{id}/{version}`. */
  readonly id: string;
  readonly label: string;
  /** The language's package registry, once an operator publishes there. */
  readonly registry: { readonly name: string; readonly package: string };
  /** The built package, under /sdks/ of the site. */
  readonly file: string;
  /**
   * Installs the package served by the site, in an empty folder or an existing project. Pages replace ORIGIN with their
   * own origin.
   */
  readonly install: string;
  /** Needed to use it. */
  readonly requires: string;
  /**
   * The example program on pages: its path in the SDK's folder, the file to save it as, and the shell command to run
   * it.
   */
  readonly example: { readonly source: string; readonly file: string; readonly run: string };
}

const FILES = `${ORIGIN}/sdks`;
/** The Go module's folder in module proxy layout; see `go help goproxy`. */
const GO_MODULE = "checkline.example/go";

/** The official SDKs, in the order of the docs. A test checks that the names match the packages. */
export const SDK_PACKAGES = [
  {
    id: "javascript",
    label: "JavaScript",
    registry: { name: "npm", package: "checkline" },
    file: `checkline-${SDK_VERSION}.tgz`,
    install: `npm install ${FILES}/checkline-${SDK_VERSION}.tgz`,
    requires: "Node.js 20 or newer, Cloudflare Workers, or a browser",
    example: { source: "examples/verify.mjs", file: "verify.mjs", run: "node verify.mjs" },
  },
  {
    id: "python",
    label: "Python",
    registry: { name: "PyPI", package: "checkline" },
    file: `checkline-${SDK_VERSION}-py3-none-any.whl`,
    // On Debian, Ubuntu, and Homebrew, pip only installs into a virtual environment.
    install: [
      `python3 -m venv .venv && . .venv/bin/activate`,
      `pip install ${FILES}/checkline-${SDK_VERSION}-py3-none-any.whl`,
    ].join("\n"),
    requires: "Python 3.9 or newer",
    example: { source: "examples/verify.py", file: "verify.py", run: "python3 verify.py" },
  },
  {
    id: "php",
    label: "PHP",
    registry: { name: "Packagist", package: "checkline/checkline" },
    file: `checkline-php-${SDK_VERSION}.zip`,
    install: [
      `[ -f composer.json ] || echo '{}' > composer.json`,
      `curl -f --create-dirs -o packages/checkline-php-${SDK_VERSION}.zip ${FILES}/checkline-php-${SDK_VERSION}.zip`,
      `composer config repositories.checkline artifact packages`,
      `composer require checkline/checkline:${SDK_VERSION}`,
    ].join("\n"),
    requires: "PHP 8.1 or newer with the curl extension, and for this install Composer with the zip extension",
    example: { source: "examples/verify.php", file: "verify.php", run: "php verify.php" },
  },
  {
    id: "ruby",
    label: "Ruby",
    registry: { name: "RubyGems", package: "checkline" },
    file: `checkline-${SDK_VERSION}.gem`,
    install: [
      `curl -fO ${FILES}/checkline-${SDK_VERSION}.gem`,
      `gem install --local checkline-${SDK_VERSION}.gem`,
    ].join("\n"),
    requires: "Ruby 3.0 or newer",
    example: { source: "examples/verify.rb", file: "verify.rb", run: "ruby verify.rb" },
  },
  {
    id: "go",
    label: "Go",
    registry: { name: "pkg.go.dev", package: GO_MODULE },
    file: `go/${GO_MODULE}/@v/v${SDK_VERSION}.zip`,
    install: [
      `[ -f go.mod ] || go mod init example`,
      `GOPROXY=${FILES}/go,$(go env GOPROXY) GONOSUMDB=${GO_MODULE} go get ${GO_MODULE}@v${SDK_VERSION}`,
    ].join("\n"),
    requires: "Go 1.19 or newer",
    example: { source: "examples/verify/main.go", file: "main.go", run: "go run ." },
  },
  {
    id: "java",
    label: "Java",
    registry: { name: "Maven Central", package: "example.checkline:checkline" },
    file: `maven/example/checkline/checkline/${SDK_VERSION}/checkline-${SDK_VERSION}.jar`,
    install: `curl -fO ${FILES}/maven/example/checkline/checkline/${SDK_VERSION}/checkline-${SDK_VERSION}.jar`,
    requires: "Java 17 or newer",
    example: {
      source: "examples/Verify.java",
      file: "Verify.java",
      run: `java -cp checkline-${SDK_VERSION}.jar Verify.java`,
    },
  },
  {
    id: "dart",
    label: "Dart",
    registry: { name: "pub.dev", package: "checkline" },
    file: `checkline-dart-${SDK_VERSION}.tar.gz`,
    install: [
      `[ -f pubspec.yaml ] || echo '{name: example, environment: {sdk: ^3.3.0}}' > pubspec.yaml`,
      `mkdir -p packages/checkline`,
      `curl -f ${FILES}/checkline-dart-${SDK_VERSION}.tar.gz | tar xz -C packages/checkline`,
      `dart pub add checkline --path packages/checkline`,
    ].join("\n"),
    requires: "Dart 3.3 or newer",
    example: { source: "example/verify.dart", file: "bin/verify.dart", run: "dart run bin/verify.dart" },
  },
] as const satisfies readonly Sdk[];
export type SdkId = (typeof SDK_PACKAGES)[number]["id"];

/** The SDK with an id. */
export function sdkWithId(id: SdkId): Sdk {
  return SDK_PACKAGES.find((sdk) => sdk.id === id)!;
}

/** The page with an SDK's sources, linked as its repository. */
export function sdkPath(id: SdkId): string {
  return `/sdks/${id}`;
}
