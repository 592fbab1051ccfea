import { useEffect } from "react";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
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

/** The language that the address names: `#php`. */
function useNamedSdk(): (typeof SDKS)[number] | undefined {
  const { hash, key } = useLocation();
  const named = SDKS.find(({ id }) => hash === `#${id}`);
  // The key too: an address that is gone to again is meant again.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => named && chooseLanguage(named.language), [named, key]);
  return named;
}

/**
 * The seven languages of the SDKs. The choice holds for every picker, and for the samples of the landing page. An address that names
 * a language chooses it, and goes on to name the one that is shown.
 */
export function LanguagePicker({ children }: { children: ReactNode }) {
  const { label } = useSdk();
  const named = useNamedSdk();
  const navigate = useNavigate();
  function select(value: string) {
    const sdk = SDKS.find((candidate) => candidate.label === value);
    if (sdk === undefined) return;
    chooseLanguage(sdk.language);
    if (named) void navigate(`#${sdk.id}`, { replace: true, preventScrollReset: true });
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
