import type { ReactNode } from "react";
import { Tab, TabList, TabPanel, Tabs } from "../../../components/ui/tabs.tsx";
import { chooseLanguage, SDKS, useLanguage } from "../../../lib/language.ts";

/** Without a script every panel shows, under its language's name; see routes/home/code-section.tsx for the layer. */
const WITHOUT_SCRIPT =
  "@layer theme{[data-picker] [hidden]{display:block!important}[data-picker] [role=tablist]{display:none!important}}";

/** The visitor's language, or the first where the choice is one that no SDK is for. */
export function useSdk(): (typeof SDKS)[number] {
  const language = useLanguage();
  return SDKS.find((sdk) => sdk.language === language) ?? SDKS[0];
}

/** The seven languages of the SDKs. The choice holds for every picker, and for the samples of the landing page. */
export function LanguagePicker({ children }: { children: ReactNode }) {
  const { label } = useSdk();
  function select(value: string) {
    const sdk = SDKS.find((candidate) => candidate.label === value);
    if (sdk) chooseLanguage(sdk.language);
  }
  return (
    <div data-picker>
      <noscript>
        <style>{WITHOUT_SCRIPT}</style>
      </noscript>
      <Tabs value={label} onValueChange={select}>
        <TabList label="Language">
          {SDKS.map((sdk) => (
            <Tab key={sdk.label} value={sdk.label}>
              {sdk.label}
            </Tab>
          ))}
        </TabList>
        {children}
      </Tabs>
    </div>
  );
}

/** What the picker shows for one language. */
export function Panel({ language, children }: { language: string; children: ReactNode }) {
  return (
    <TabPanel value={language}>
      <p hidden className="mb-3 font-medium text-ink">
        {language}
      </p>
      <div className="doc-flow">{children}</div>
    </TabPanel>
  );
}
