import { SiteFrame } from "../../components/site/site-frame.tsx";
import { TextPage } from "../../components/site/text-page.tsx";
import { LEGAL_TEXTS_UPDATED } from "../../content/promises.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { PROMISE_SECTIONS } from "./promises.tsx";
import { SERVICE_SECTIONS } from "./service.tsx";

export function meta() {
  return pageMeta({
    title: "Terms of service · Checkline",
    description:
      "The terms of the Checkline API: keys, the free tier, billing per successful request, rate limits, availability and liability.",
    path: "/terms",
  });
}

const SECTIONS = [...SERVICE_SECTIONS, ...PROMISE_SECTIONS];

export default function Terms() {
  return (
    <SiteFrame>
      <TextPage
        title="Terms of service"
        lead="What you can expect from Checkline, what we expect from you, and what an answer about a phone number can and cannot bear."
        updated={LEGAL_TEXTS_UPDATED}
        sections={SECTIONS}
        numbered
      />
    </SiteFrame>
  );
}
