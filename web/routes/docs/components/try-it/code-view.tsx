import { ORIGIN } from "../../../../../contract/origin.ts";
import { SANDBOX_SUCCESSES } from "../../../../../contract/sandbox.ts";
import { LanguageTabs } from "../../../../components/site/language-tabs.tsx";
import { CodeBlock } from "../../../../components/ui/code-block.tsx";
import flutter from "../../../../content/samples/verify.dart?sample";
import go from "../../../../content/samples/verify.go?sample";
import java from "../../../../content/samples/Verify.java?sample";
import node from "../../../../content/samples/verify.mjs?sample";
import php from "../../../../content/samples/verify.php?sample";
import python from "../../../../content/samples/verify.py?sample";
import rest from "../../../../content/samples/verify.sh?sample";
import ruby from "../../../../content/samples/verify.rb?sample";
import type { LanguageId } from "../../../../lib/language.ts";
import { useOrigin } from "../../../../lib/origin.ts";
import type { CodeSample } from "../../../../plugins/code-sample.ts";
import { isPlain } from "./call.ts";

/** The same call in each language without an SDK, ready to run, with the origin of contract/origin.ts. */
const SAMPLES: Readonly<Record<LanguageId, CodeSample>> = { rest, ruby, python, php, node, go, java, flutter };

/** The number in the samples' source. */
const WRITTEN = SANDBOX_SUCCESSES[0].number;

export interface CodeViewProps {
  /** The console's input. */
  readonly number: string;
}

/**
 * The same call in every language, with a default number if the text would need escaping. The key stays in the
 * environment, even if one was pasted.
 */
export function CodeView({ number }: CodeViewProps) {
  const origin = useOrigin();
  const shown = isPlain(number) ? number : WRITTEN;
  function adapted(code: string): string {
    return code.replaceAll(ORIGIN, origin).replaceAll(WRITTEN, () => shown);
  }
  return (
    <>
      {number !== shown && (
        <p className="mb-3 text-sm text-muted">
          With {WRITTEN}
          {number !== "" && ": what you wrote would have to be escaped, in each language in its own way"}.
        </p>
      )}
      <LanguageTabs label="Language of the call" panelClassName="pt-4!">
        {({ id, label }) => {
          const { html, text, file } = SAMPLES[id];
          return <CodeBlock title={file} label={`The call in ${label}`} html={adapted(html)} code={adapted(text)} />;
        }}
      </LanguageTabs>
    </>
  );
}
