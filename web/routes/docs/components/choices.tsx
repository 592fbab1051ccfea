import { Children, isValidElement, useLayoutEffect, useState } from "react";
import type { ReactElement, ReactNode } from "react";
import { useLocation } from "react-router";
import { Tab, TabList, TabPanel, Tabs } from "../../../components/ui/tabs.tsx";
import { headingId } from "../../../lib/heading-id.ts";

/** Calls back with the anchor in the address, at first and whenever it changes. */
export function useAnchor(onAnchor: (id: string) => void): void {
  const { hash, key } = useLocation();
  useLayoutEffect(() => {
    const tell = () => onAnchor(window.location.hash.slice(1));
    tell();
    // The router does not report a return to the last hash it knew.
    window.addEventListener("hashchange", tell);
    return () => window.removeEventListener("hashchange", tell);
    // Following the same address again counts again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hash, key]);
}

/** Where an address with an anchor scrolls to. Not a panel: a browser does not scroll to hidden elements. */
export function Anchors({ ids }: { ids: readonly string[] }) {
  return ids.map((id) => <span key={id} id={id} className="scroll-mt-18 max-sm:scroll-mt-26" />);
}

type ChoiceElement = ReactElement<{ title: string }>;

/** One of several `Choice`s at a time. The one in the address is selected, and the address follows the selection. */
export function Choices({ label, children }: { label: string; children: ReactNode }) {
  const titles = Children.toArray(children)
    .filter((child): child is ChoiceElement => isValidElement(child))
    .map(({ props }) => props.title);
  const [selected, setSelected] = useState(titles[0]);
  useAnchor((id) => {
    const named = titles.find((title) => headingId(title) === id);
    if (named !== undefined) setSelected(named);
  });
  function select(title: string) {
    setSelected(title);
    // Bypasses the router, which would scroll to the anchor.
    history.replaceState(history.state, "", `#${headingId(title)}`);
  }
  return (
    <div data-samples>
      <Anchors ids={titles.map(headingId)} />
      <Tabs value={selected} onValueChange={select}>
        <TabList label={label} selected={selected}>
          {titles.map((title) => (
            <Tab key={title} value={title}>
              {title}
            </Tab>
          ))}
        </TabList>
        {children}
      </Tabs>
    </div>
  );
}

/** One choice; its title is its tab, and shown above it where there are no tabs. */
export function Choice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <TabPanel value={title}>
      <p hidden className="mb-3 font-medium text-ink">
        {title}
      </p>
      <div className="doc-flow">{children}</div>
    </TabPanel>
  );
}
