import { Outlet, useMatches } from "react-router";
import { SiteFrame } from "../../components/site/site-frame.tsx";
import { TextPage } from "../../components/site/text-page.tsx";
import type { TextHandle } from "../../lib/doc-handle.ts";

/** The frame of the texts in `content/pages/`. */
export default function TextLayout() {
  const { title, lead, updated, headings } = useMatches().at(-1)!.handle as TextHandle;
  return (
    <SiteFrame>
      <TextPage title={title} lead={lead} updated={updated} headings={headings}>
        <Outlet />
      </TextPage>
    </SiteFrame>
  );
}
