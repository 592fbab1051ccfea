import { SiteFrame } from "../../components/site/site-frame.tsx";
import { TextPage } from "../../components/site/text-page.tsx";
import { pageMeta } from "../../lib/page-meta.ts";
import { ABOUT_SECTIONS } from "./sections.tsx";

export function meta() {
  return pageMeta({
    title: "About · Checkline",
    description:
      "What Checkline is and believes, how it answers from memory without asking anybody, what it is not, and what is still open.",
    path: "/about",
  });
}

export default function About() {
  return (
    <SiteFrame>
      <TextPage
        title="About Checkline"
        lead="Checkline reads a phone number the way a careful clerk reads a form: line by line, against the rule book, with a note in the margin wherever the rule book is silent."
        sections={ABOUT_SECTIONS}
      />
    </SiteFrame>
  );
}
