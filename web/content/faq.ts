import { TRIAL } from "../../contract/limits.ts";

/** Words, words that lead somewhere on this site, or words of the API. */
export type Inline = string | { readonly text: string; readonly to: string } | { readonly code: string };

export interface FaqItem {
  readonly question: string;
  /** Paragraphs. */
  readonly answer: readonly (readonly Inline[])[];
}

const COUNT = new Intl.NumberFormat("en-US");

/** What developers ask. Shown on the help page, and given to search engines. */
export const FAQ: readonly FaqItem[] = [
  {
    question: "How do I get an API key?",
    answer: [
      [
        "Create an account in the ",
        { text: "dashboard", to: "/dashboard" },
        `, open the link in the verification email and activate the free trial: ${TRIAL.days} days with ${COUNT.format(TRIAL.quota)} successful live verifications, without payment details. Then generate a key.`,
      ],
      [
        "A key is shown once, when it is generated. Keep it on your server. If you lose it, revoke it and generate another.",
      ],
    ],
  },
  {
    question: "Do live keys need a subscription?",
    answer: [
      [
        "Yes. A live key works while the account has an active subscription, and the free trial is one. After it ends, live keys get a 403 ",
        { code: "SUBSCRIPTION_INACTIVE" },
        ".",
      ],
      [
        "You also need an active subscription to generate a key of either mode. A test key, once generated, keeps working in the ",
        { text: "sandbox", to: "/docs/sandbox" },
        " without one.",
      ],
    ],
  },
  {
    question: "What does “valid” mean, and what can’t it tell me?",
    answer: [
      [
        "Valid means that the number lies in a range that its country’s numbering plan has assigned: the right length, and leading digits that exist. It does not mean that the number is in service, that a phone is switched on, or that it belongs to the person who typed it. No network is queried, which is why every response says ",
        { code: 'reachability: "not_checked"' },
        ". If you need to know that someone owns a number, send them a code.",
      ],
      [
        "The carrier is the one the range was first allocated to. A ported number may have moved to another carrier; ",
        { code: "number_portability" },
        " says whether that is known to be possible in its country. And where a plan does not tell mobile from fixed, as in the United States and Canada, ",
        { code: "line_type" },
        " is null.",
      ],
    ],
  },
  {
    question: "What is counted, and what is billed?",
    answer: [
      [
        "Billing is per successful request: a live verification that returns ",
        { code: "valid: true" },
        ". Only those use the quota of a plan, and in a batch each number counts for itself.",
      ],
      [
        "Invalid numbers are free. They return 200 with a reason; your usage report shows them as failed, and your quota does not change. Rejected requests, such as a wrong key or a malformed body, are not counted at all, and test keys never use the quota.",
      ],
      ["Pricing isn’t final. We won’t charge you until you agree to it."],
    ],
  },
  {
    question: "Do you store the numbers I verify?",
    answer: [
      [
        "No. A number is read in memory, verified and forgotten; it is never written to a table or a log. What we keep is the count: how many verifications on which day, with which kind of key, for which country, and whether they succeeded. The ",
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
