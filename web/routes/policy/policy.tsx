import { SiteFrame } from "../../components/site/site-frame.tsx";
import { TextPage } from "../../components/site/text-page.tsx";
import { LEGAL_TEXTS_UPDATED } from "../../content/promises.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { DATA_SECTIONS } from "./data.tsx";
import { RIGHTS_SECTIONS } from "./rights.tsx";

export function meta() {
  return pageMeta({
    title: "Privacy policy · Checkline",
    description:
      "What Checkline stores and for how long, what it never stores, who handles it, and how to see, take or erase your data.",
    path: "/policy",
  });
}

const SECTIONS = [...DATA_SECTIONS, ...RIGHTS_SECTIONS];

export default function Policy() {
  return (
    <SiteFrame>
      <TextPage
        title="Privacy policy"
        lead="A verification service sees other people’s phone numbers. This page says what becomes of them, which is nothing, and what we keep of you, which is little."
        updated={LEGAL_TEXTS_UPDATED}
        sections={SECTIONS}
        numbered
      />
    </SiteFrame>
  );
}
