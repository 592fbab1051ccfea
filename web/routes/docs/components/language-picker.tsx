import type { ReactNode } from "react";
import { Tab, TabList, Tabs } from "../../../components/ui/tabs.tsx";
import { chooseLanguage, SDKS, useLanguage } from "../../../lib/language.ts";
import { Anchors, Choice, useAnchor } from "./choices.tsx";

/** The visitor's language, or the first if it has no SDK. */
function useSdk(): (typeof SDKS)[number] {
  const language = useLanguage();
  return SDKS.find((sdk) => sdk.language === language) ?? SDKS[0];
}

/** The SDK in the address: `#php`. */
function namedSdk(): (typeof SDKS)[number] | undefined {
  return SDKS.find(({ id }) => window.location.hash === `#${id}`);
}

/**
 * The seven SDK languages. The selection applies to every picker, and to the landing page's samples. A language in the
 * address is selected, and the address follows the selection.
 */
export function LanguagePicker({ children }: { children: ReactNode }) {
  const { label } = useSdk();
  useAnchor(() => {
    const named = namedSdk();
    if (named) chooseLanguage(named.language);
  });
  function select(value: string) {
    const sdk = SDKS.find((candidate) => candidate.label === value);
    if (sdk === undefined) return;
    chooseLanguage(sdk.language);
    // Bypasses the router, which would scroll to the anchor.
    if (namedSdk()) history.replaceState(history.state, "", `#${sdk.id}`);
  }
  return (
    <div data-samples>
      <Anchors ids={SDKS.map(({ id }) => id)} />
      <Tabs value={label} onValueChange={select}>
        <TabList label="Language" selected={label}>
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

/** The picker's content for one language. */
export function Panel({ language, children }: { language: string; children: ReactNode }) {
  return <Choice title={language}>{children}</Choice>;
}
