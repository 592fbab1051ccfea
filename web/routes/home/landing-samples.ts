import { sdkWithId } from "../../../sdks/packages.ts";
import type { SdkId } from "../../../sdks/packages.ts";
import dart from "../../../sdks/dart/example/verify.dart?sample";
import go from "../../../sdks/go/examples/verify/main.go?sample";
import java from "../../../sdks/java/examples/Verify.java?sample";
// oxlint-disable-next-line import/default -- the sample as a CodeSample, not as the module that it is
import javascript from "../../../sdks/javascript/examples/verify.mjs?sample";
import php from "../../../sdks/php/examples/verify.php?sample";
import python from "../../../sdks/python/examples/verify.py?sample";
import ruby from "../../../sdks/ruby/examples/verify.rb?sample";
import type { LanguageId } from "../../lib/language.ts";
import type { CodeSample } from "../../plugins/code-sample.ts";
import response from "../../content/samples/response.json?sample";
import rest from "../../content/samples/verify.sh?sample";

export interface LandingSample extends CodeSample {
  /** What installs the SDK; null where nothing has to be installed. Its origin is contract/origin.ts's. */
  readonly install: string | null;
  /** What runs the file in a shell. */
  readonly run: string;
}

function withSdk(id: SdkId, sample: CodeSample): LandingSample {
  const { install, example } = sdkWithId(id);
  return { ...sample, file: example.file, run: example.run, install };
}

/** One call in each language: with curl, and with the SDKs, whose tests run these very files. */
export const LANDING_SAMPLES: Readonly<Record<LanguageId, LandingSample>> = {
  rest: { ...rest, install: null, run: "sh verify.sh" },
  ruby: withSdk("ruby", ruby),
  python: withSdk("python", python),
  php: withSdk("php", php),
  node: withSdk("javascript", javascript),
  go: withSdk("go", go),
  java: withSdk("java", java),
  flutter: withSdk("dart", dart),
};

/** The API's response to that call with a live key. */
export const RESPONSE: CodeSample = response;
