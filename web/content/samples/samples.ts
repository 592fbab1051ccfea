import go from "./verify.go?sample";
import java from "./Verify.java?sample";
import node from "./verify.mjs?sample";
import php from "./verify.php?sample";
import python from "./verify.py?sample";
import ruby from "./verify.rb?sample";
import rest from "./verify.sh?sample";
import flutter from "./verify.dart?sample";
import type { LanguageId } from "../../lib/language.ts";
import type { CodeSample } from "../../plugins/code-sample.ts";

/** The same call in each language without an SDK, ready to run. Its origin is contract/origin.ts's. */
export const SAMPLES: Readonly<Record<LanguageId, CodeSample & { readonly file: string }>> = {
  rest: { ...rest, file: "verify.sh" },
  ruby: { ...ruby, file: "verify.rb" },
  python: { ...python, file: "verify.py" },
  php: { ...php, file: "verify.php" },
  node: { ...node, file: "verify.mjs" },
  go: { ...go, file: "verify.go" },
  java: { ...java, file: "Verify.java" },
  flutter: { ...flutter, file: "verify.dart" },
};
