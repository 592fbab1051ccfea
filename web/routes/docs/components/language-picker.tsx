import { useLayoutEffect } from "react";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
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

/** The SDK that the address names: `#php`. */
function namedSdk(): (typeof SDKS)[number] | undefined {
  return SDKS.find(({ id }) => window.location.hash === `#${id}`);
}

/** Chooses the language that the address names, whenever it comes to name one. */
function useNamedLanguage(): void {
  const { hash, key } = useLocation();
  useLayoutEffect(() => {
    function choose() {
      const sdk = namedSdk();
      if (sdk) chooseLanguage(sdk.language);
    }
    choose();
    // The router does not tell of a return to the hash that it knew last.
    window.addEventListener("hashchange", choose);
    return () => window.removeEventListener("hashchange", choose);
    // An address that is gone to again is meant again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hash, key]);
}

/**
 * The seven languages of the SDKs. The choice holds for every picker, and for the samples of the landing page. An address that names
 * a language chooses it, and keeps naming the one that is shown.
 */
export function LanguagePicker({ children }: { children: ReactNode }) {
  const { label } = useSdk();
  useNamedLanguage();
  function select(value: string) {
    const sdk = SDKS.find((candidate) => candidate.label === value);
    if (sdk === undefined) return;
    chooseLanguage(sdk.language);
    // Past the router, which would scroll to what the address names.
    if (namedSdk()) history.replaceState(history.state, "", `#${sdk.id}`);
  }
  return (
    <div data-picker>
      {/* Not on the panels: a browser does not scroll to what is hidden. */}
      {SDKS.map(({ id }) => (
        <span key={id} id={id} className="scroll-mt-18" />
      ))}
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
