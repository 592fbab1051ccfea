import type { ReactNode } from "react";
import { chooseLanguage, LANGUAGES, parseLanguage, useLanguage } from "../../lib/language.ts";
import type { Language } from "../../lib/language.ts";
import { Tab, TabList, TabPanel, Tabs } from "../ui/tabs.tsx";

interface LanguageTabsProps {
  /** The tab list's name. */
  readonly label: string;
  readonly className?: string;
  readonly panelClassName: string;
  /** The content of a language's panel. */
  readonly children: (language: Language) => ReactNode;
}

/** A tab for each language of the code samples. The selection applies to all of them, on every page. */
export function LanguageTabs({ label, className, panelClassName, children }: LanguageTabsProps) {
  const language = useLanguage();
  function select(value: string) {
    const chosen = parseLanguage(value);
    if (chosen !== null) chooseLanguage(chosen);
  }
  return (
    <Tabs value={language} onValueChange={select} className={className}>
      <TabList label={label} selected={language}>
        {LANGUAGES.map(({ id, label: name }) => (
          <Tab key={id} value={id}>
            {name}
          </Tab>
        ))}
      </TabList>
      {LANGUAGES.map((each) => (
        <TabPanel key={each.id} value={each.id} className={panelClassName}>
          {children(each)}
        </TabPanel>
      ))}
    </Tabs>
  );
}
