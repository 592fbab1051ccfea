import type { ReactNode } from "react";
import { formatCount } from "../../../contract/format.ts";
import { TRIAL } from "../../../contract/plans.ts";
import { SiteLink } from "../ui/link.tsx";

interface FaqItem {
  readonly question: string;
  /** Paragraphs. */
  readonly answer: ReactNode;
}

/** What developers ask, for the help page. */
export const FAQ: readonly FaqItem[] = [
  {
    question: "How do I get an API key?",
    answer: (
      <>
        <p>
          Create an account in the <SiteLink to="/dashboard">dashboard</SiteLink>, open the link in the verification
          email, and activate the free trial: {TRIAL.days} days with {formatCount(TRIAL.quota)} successful live
          verifications, without payment details. Then generate a key.
        </p>
        <p>
          We show a key once, when you generate it. Keep it on your server. If you lose it, revoke it and generate
          another.
        </p>
      </>
    ),
  },
  {
    question: "Do live keys need a subscription?",
    answer: (
      <>
        <p>
          Yes. Live keys work while your account has an active subscription. The free trial counts. After it ends, live
          keys get a 403 <code>SUBSCRIPTION_INACTIVE</code>.
        </p>
        <p>
          You also need an active subscription to generate a key in either mode. Once generated, a test key keeps
          working in the <SiteLink to="/docs/sandbox">sandbox</SiteLink> without one.
        </p>
      </>
    ),
  },
  {
    question: "What does “valid” mean, and what can’t it tell me?",
    answer: (
      <>
        <p>
          Valid means the number is in a range assigned by its country’s numbering plan, with the right length and
          leading digits. It doesn’t mean the number is in service, the phone is on, or it belongs to the person who
          typed it. We don’t query networks, which is why every response has <code>reachability: "not_checked"</code>.
          To confirm that someone owns a number, send them a code.
        </p>
        <p>
          The carrier is the brand of the company that was given the range, or of its successor. A ported number may
          have moved to another carrier; <code>number_portability</code> tells you whether that’s possible in its
          country. If a plan doesn’t distinguish mobile from landline, as in the US and Canada, <code>line_type</code>{" "}
          is based on the company that was given the range, or null if that isn’t conclusive.
        </p>
      </>
    ),
  },
  {
    question: "What counts, and what’s billed?",
    answer: (
      <>
        <p>
          Billing is per successful request: a live verification that returns <code>valid: true</code>. Only those use
          your plan’s quota, and in a batch, each number counts separately.
        </p>
        <p>
          Invalid numbers are free. They return 200 with a reason; your reports list them as invalid, and your quota
          doesn’t change. Rejected requests, such as a wrong key or a malformed body, aren’t counted at all, and test
          keys never use quota.
        </p>
        <p>Pricing isn’t final. We won’t charge you until you agree to it.</p>
      </>
    ),
  },
  {
    question: "Do you store the numbers I verify?",
    answer: (
      <p>
        No. We read a number in memory, verify it, and forget it. We never write it to a table or a log. We keep daily
        counts by key, country, and outcome, and for 30 days a sample of calls without their numbers. The{" "}
        <SiteLink to="/policy">privacy policy</SiteLink> has the full list.
      </p>
    ),
  },
];
