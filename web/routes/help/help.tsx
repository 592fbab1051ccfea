import { SiteFrame } from "../../components/site/site-frame.tsx";
import { FAQ, faqStructuredData } from "../../content/faq.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { ContactBlock } from "./contact-block.tsx";
import { FaqList } from "./faq-list.tsx";
import { HelpCards } from "./help-cards.tsx";

export function meta() {
  return [
    ...pageMeta({
      title: "Help · Checkline",
      description:
        "Get a Checkline API key, integrate verification, and find answers about validity, billing and privacy, or write to support.",
      path: "/help",
    }),
    { "script:ld+json": faqStructuredData(FAQ) },
  ];
}

export default function Help() {
  return (
    <SiteFrame>
      <div className="page-width pt-12 pb-20 md:pt-20 md:pb-28">
        <h1 className="text-title">Help</h1>
        <p className="mt-5 max-w-2xl text-lead text-soft">
          Most questions are answered on this page or one link away from it. For the rest there is a person with a
          mailbox.
        </p>
        <HelpCards />
        <FaqList items={FAQ} />
        <ContactBlock />
      </div>
    </SiteFrame>
  );
}
