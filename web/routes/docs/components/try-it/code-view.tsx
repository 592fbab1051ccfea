import { ORIGIN } from "../../../../../contract/origin.ts";
import { SANDBOX_SUCCESSES } from "../../../../../contract/sandbox.ts";
import { LanguageTabs } from "../../../../components/site/language-tabs.tsx";
import { CodeBlock } from "../../../../components/ui/code-block.tsx";
import { SAMPLES } from "../../../../content/samples/samples.ts";
import { useOrigin } from "../../../../lib/origin.ts";
import { isPlain } from "./call.ts";

/** The number that the samples are written with. */
const WRITTEN = SANDBOX_SUCCESSES[0].number;

export interface CodeViewProps {
  /** What the console asks for. */
  readonly number: string;
}

/** The same call in every language, with a number of ours where the text would have to be escaped. The key stays in the environment, also when one was pasted. */
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
