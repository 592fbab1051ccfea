import go from "./verify.go?sample";
import java from "./Verify.java?sample";
import node from "./verify.mjs?sample";
import php from "./verify.php?sample";
import python from "./verify.py?sample";
import ruby from "./verify.rb?sample";
import rest from "./verify.sh?sample";
import flutter from "./verify.dart?sample";
import answer from "./answer.json?sample";
import type { LanguageId } from "../../lib/language.ts";
import type { CodeSample } from "../../plugins/code-sample.ts";

export interface RunnableSample extends CodeSample {
  readonly file: string;
  /** What runs the file in a shell. */
  readonly run: string;
}

/** The same call in each language, ready to run. Its origin is contract/origin.ts's. */
export const SAMPLES: Readonly<Record<LanguageId, RunnableSample>> = {
  rest: { ...rest, file: "verify.sh", run: "sh verify.sh" },
  ruby: { ...ruby, file: "verify.rb", run: "ruby verify.rb" },
  python: { ...python, file: "verify.py", run: "python3 verify.py" },
  php: { ...php, file: "verify.php", run: "php verify.php" },
  node: { ...node, file: "verify.mjs", run: "node verify.mjs" },
  go: { ...go, file: "verify.go", run: "go run verify.go" },
  java: { ...java, file: "Verify.java", run: "java Verify.java" },
  flutter: { ...flutter, file: "verify.dart", run: "dart run verify.dart" },
};

/** The API's answer to that call with a live key. */
export const ANSWER: CodeSample = answer;
