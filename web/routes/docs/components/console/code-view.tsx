import { ORIGIN } from "../../../../../contract/origin.ts";
import { SANDBOX_SUCCESSES } from "../../../../../contract/sandbox.ts";
import { CodeBlock } from "../../../../components/ui/code-block.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../../components/ui/tabs.tsx";
import { SAMPLES } from "../../../../content/samples/samples.ts";
import { chooseLanguage, LANGUAGES, parseLanguage, useLanguage } from "../../../../lib/language.ts";
import { useOrigin } from "../../../../lib/origin.ts";

/** The number that the samples are written with. */
const WRITTEN = SANDBOX_SUCCESSES[0].number;

/** The same call in every language. The key stays in the environment, also when one was pasted. */
export function CodeView({ number }: { number: string }) {
  const language = useLanguage();
  const origin = useOrigin();
  function adapted(code: string): string {
    return code.replaceAll(ORIGIN, origin).replaceAll(WRITTEN, () => number);
  }
  function select(value: string) {
    const chosen = parseLanguage(value);
    if (chosen !== null) chooseLanguage(chosen);
  }
  return (
    <Tabs value={language} onValueChange={select}>
      <TabList label="Language of the call">
        {LANGUAGES.map(({ id, label }) => (
          <Tab key={id} value={id}>
            {label}
          </Tab>
        ))}
      </TabList>
      {LANGUAGES.map(({ id, label }) => {
        const { html, text, file } = SAMPLES[id];
        return (
          <TabPanel key={id} value={id} className="pt-4!">
            <CodeBlock title={file} label={`The call in ${label}`} html={adapted(html)} code={adapted(text)} />
          </TabPanel>
        );
      })}
    </Tabs>
  );
}
