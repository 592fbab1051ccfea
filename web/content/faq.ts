import { TRIAL } from "../../contract/limits.ts";
import { formatCount } from "../../contract/format.ts";

/** Words, words that lead somewhere on this site, or words of the API. */
export type Inline = string | { readonly text: string; readonly to: string } | { readonly code: string };

export interface FaqItem {
  readonly question: string;
  /** Paragraphs. */
  readonly answer: readonly (readonly Inline[])[];
}

/** What developers ask. Shown on the help page, and given to search engines. */
export const FAQ: readonly FaqItem[] = [
  {
    question: "How do I get an API key?",
    answer: [
      [
        "Create an account in the ",
        { text: "dashboard", to: "/dashboard" },
        `, open the link in the verification email, and activate the free trial: ${TRIAL.days} days with ${formatCount(TRIAL.quota)} successful live verifications, without payment details. Then generate a key.`,
      ],
      [
        "We show a key once, when you generate it. Keep it on your server. If you lose it, revoke it and generate another.",
      ],
    ],
  },
  {
    question: "Do live keys need a subscription?",
    answer: [
      [
        "Yes. Live keys work while your account has an active subscription. The free trial counts. After it ends, live keys get a 403 ",
        { code: "SUBSCRIPTION_INACTIVE" },
        ".",
      ],
      [
        "You also need an active subscription to generate a key in either mode. Once generated, a test key keeps working in the ",
        { text: "sandbox", to: "/docs/sandbox" },
        " without one.",
      ],
    ],
  },
  {
    question: "What does “valid” mean, and what can’t it tell me?",
    answer: [
      [
        "Valid means the number is in a range assigned by its country’s numbering plan, with the right length and leading digits. It doesn’t mean the number is in service, the phone is on, or it belongs to the person who typed it. We don’t query networks, which is why every response has ",
        { code: 'reachability: "not_checked"' },
        ". To confirm that someone owns a number, send them a code.",
      ],
      [
        "The carrier is the one the range was first allocated to. A ported number may have moved to another carrier; ",
        { code: "number_portability" },
        " tells you whether that’s possible in its country. If a plan doesn’t distinguish mobile from landline, as in the US and Canada, ",
        { code: "line_type" },
        " is based on the company that was given the range, or null if that isn’t conclusive.",
      ],
    ],
  },
  {
    question: "What counts, and what’s billed?",
    answer: [
      [
        "Billing is per successful request: a live verification that returns ",
        { code: "valid: true" },
        ". Only those use your plan’s quota, and in a batch, each number counts separately.",
      ],
      [
        "Invalid numbers are free. They return 200 with a reason; your reports list them as invalid, and your quota doesn’t change. Rejected requests, such as a wrong key or a malformed body, aren’t counted at all, and test keys never use quota.",
      ],
      ["Pricing isn’t final. We won’t charge you until you agree to it."],
    ],
  },
  {
    question: "Do you store the numbers I verify?",
    answer: [
      [
        "No. We read a number in memory, verify it, and forget it. We never write it to a table or a log. We keep daily counts by key, country, and outcome, and for 30 days a sample of calls without their numbers. The ",
        { text: "privacy policy", to: "/policy" },
        " has the full list.",
      ],
    ],
  },
];

/** A paragraph as plain words. */
export function plainText(paragraph: readonly Inline[]): string {
  return paragraph
    .map((part) => {
      if (typeof part === "string") return part;
      return "code" in part ? part.code : part.text;
    })
    .join("");
}

/** The questions as schema.org's FAQPage, for search engines. */
export function faqStructuredData(items: readonly FaqItem[]) {
  return {
    "@context": "https://schema.org",
    "@type": "FAQPage",
    mainEntity: items.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer.map(plainText).join("\n\n") },
    })),
  };
}
