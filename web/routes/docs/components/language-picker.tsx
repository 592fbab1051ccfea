import { useLayoutEffect } from "react";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { Tab, TabList, TabPanel, Tabs } from "../../../components/ui/tabs.tsx";
import { chooseLanguage, SDKS, useLanguage } from "../../../lib/language.ts";

/** The visitor's language, or the first if it has no SDK. */
export function useSdk(): (typeof SDKS)[number] {
  const language = useLanguage();
  return SDKS.find((sdk) => sdk.language === language) ?? SDKS[0];
}

/** The SDK in the address: `#php`. */
function namedSdk(): (typeof SDKS)[number] | undefined {
  return SDKS.find(({ id }) => window.location.hash === `#${id}`);
}

/** Selects the language in the address whenever it changes. */
function useNamedLanguage(): void {
  const { hash, key } = useLocation();
  useLayoutEffect(() => {
    function choose() {
      const sdk = namedSdk();
      if (sdk) chooseLanguage(sdk.language);
    }
    choose();
    // The router does not report a return to the last hash it knew.
    window.addEventListener("hashchange", choose);
    return () => window.removeEventListener("hashchange", choose);
    // Following the same address again counts again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hash, key]);
}

/**
 * The seven SDK languages. The selection applies to every picker, and to the landing page's samples. A language in the
 * address is selected, and the address follows the selection.
 */
export function LanguagePicker({ children }: { children: ReactNode }) {
  const { label } = useSdk();
  useNamedLanguage();
  function select(value: string) {
    const sdk = SDKS.find((candidate) => candidate.label === value);
    if (sdk === undefined) return;
    chooseLanguage(sdk.language);
    // Bypasses the router, which would scroll to the anchor.
    if (namedSdk()) history.replaceState(history.state, "", `#${sdk.id}`);
  }
  return (
    <div data-samples>
      {/* Not on the panels: a browser does not scroll to hidden elements. */}
      {SDKS.map(({ id }) => (
        <span key={id} id={id} className="scroll-mt-18 max-sm:scroll-mt-26" />
      ))}
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
  return (
    <TabPanel value={language}>
      <p hidden className="mb-3 font-medium text-ink">
        {language}
      </p>
      <div className="doc-flow">{children}</div>
    </TabPanel>
  );
}
