import { Link } from "react-router";
import {
  MAX_ACTIVE_KEYS,
  NUMBERS_PER_MINUTE,
  PLAN_QUOTA,
  REQUESTS_PER_MINUTE,
  TRIAL,
} from "../../../contract/limits.ts";
import { FactList } from "../../components/site/fact-list.tsx";
import type { TextSection } from "../../components/site/text-page.tsx";
import { CONTACT, mailto } from "../../content/contact.ts";

const COUNT = new Intl.NumberFormat("en-US");

/** Successful live verifications that the free tier holds. */
const TRIAL_QUOTA = COUNT.format(TRIAL.quota);

function perMinute(keys: keyof typeof REQUESTS_PER_MINUTE): string {
  return `${COUNT.format(REQUESTS_PER_MINUTE[keys])} requests and ${COUNT.format(NUMBERS_PER_MINUTE[keys])} numbers a minute`;
}

function quotaOf(quota: number | null): string {
  return quota === null ? "no quota" : `${COUNT.format(quota)} successful live verifications`;
}

/** The first half of the terms: what is offered, and under which conditions it may be used. */
export const SERVICE_SECTIONS: readonly TextSection[] = [
  {
    title: "Who agrees to what",
    body: (
      <>
        <p>
          These terms are an agreement between you and the operator of this site, the person or organisation that runs
          Checkline at this address; “we” is that operator. They apply from the moment you create an account or call the
          API. If you do so for an organisation, you confirm that you may agree on its behalf, and “you” is that
          organisation.
        </p>
        <p>If you do not agree with them, please do not use the service.</p>
      </>
    ),
  },
  {
    title: "The service",
    body: (
      <>
        <p>
          Checkline answers what the published numbering plans say about a phone number: whether it is valid, its
          country, area and time zones, its type, and the carrier its range was first allocated to. It is an API with a
          dashboard and <Link to="/docs/introduction">documentation</Link>. The documentation describes how it behaves
          and is part of these terms.
        </p>
        <p>
          We may improve the service and add to it at any time. What would break a program that follows the
          documentation is announced there beforehand, unless security or the law leaves no time.
        </p>
      </>
    ),
  },
  {
    title: "Your account",
    body: (
      <p>
        You have to be at least 16 years old, give an email address that is yours, and verify it. Keep your password to
        yourself: what happens in your account counts as done by you, unless you could not have prevented it. If you
        think somebody else has got in, change the password and write to{" "}
        <a href={mailto(CONTACT.support, "My account")}>{CONTACT.support}</a>.
      </p>
    ),
  },
  {
    title: "API keys",
    body: (
      <>
        <p>
          A key is a secret. It is shown once, when it is generated; keep it where only your own servers can read it,
          never in a web page, an app or a public repository. Requests made with your key count as yours. Revoke a key
          in the dashboard as soon as it may have leaked: it stops working everywhere within minutes.
        </p>
        <p>
          You may have up to {MAX_ACTIVE_KEYS} active keys of each mode. Test keys answer from a sandbox and are for
          development only. We may revoke keys that are used against these terms, or that have plainly become public.
        </p>
      </>
    ),
  },
  {
    title: "The free tier",
    body: (
      <p>
        Every account may activate the free trial once: {TRIAL.days} days with {TRIAL_QUOTA} successful live
        verifications. These terms call it the free tier. It asks for no payment details and ends by itself, with the{" "}
        {TRIAL.days} days or, for live verifications, with the last of the {TRIAL_QUOTA}. Nothing has to be cancelled,
        and nothing follows from it automatically. One person or organisation may not open several accounts to have it
        more than once.
      </p>
    ),
  },
  {
    title: "Subscriptions and billing",
    body: (
      <>
        <p>
          Live keys work only while the account has an active subscription, for which the free tier counts. Generating a
          key of either mode takes one too; a test key, once generated, works without.
        </p>
        <p>
          Billing is per successful request: a live verification whose answer is <code>valid: true</code>. A number that
          turns out not to be valid, a request that is refused and anything asked with a test key are free. In a batch,
          each number counts for itself. A retry under the same <code>Idempotency-Key</code> counts once, as the
          documentation describes.
        </p>
        <p>
          <strong>Prices are still to be announced.</strong> No charge is made before you have seen a price and agreed
          to it. Until then, subscriptions beyond the free tier are granted on request.
        </p>
      </>
    ),
  },
  {
    title: "Rate limits",
    body: (
      <>
        <p>How fast you may call depends on the plan, and the free tier is slower:</p>
        <FactList
          facts={[
            ["Test keys", `${perMinute("test")}, without counting towards a quota`],
            ["Free tier", `${perMinute("trial")}, ${quotaOf(PLAN_QUOTA.trial)}`],
            ["Pro", `${perMinute("pro")}, ${quotaOf(PLAN_QUOTA.pro)}`],
          ]}
        />
        <p>
          All live keys of an account share these limits, and all test keys others. A batch is one request. Beyond a
          limit the API answers 429 and says when to come back. Please respect that, and do not spread calls over
          accounts to get around it.
        </p>
      </>
    ),
  },
  {
    title: "Acceptable use",
    body: (
      <>
        <p>Use Checkline to check numbers that you have a reason to have. Do not use it</p>
        <ul>
          <li>to send, or to prepare, messages or calls that nobody asked for, harassment or fraud;</li>
          <li>to go through ranges of numbers in order to find out which exist, or to build lists of them;</li>
          <li>with numbers that you may not process under the law that applies to you;</li>
          <li>to sell the bare answers on as a look-up service of your own, or as data about people;</li>
          <li>where a wrong answer could put life, health or property at risk, emergency calls above all;</li>
          <li>
            to disturb the service or to get around its limits. Honest security research is welcome: stay within your
            own account, and tell us at <a href={mailto(CONTACT.security, "Security report")}>{CONTACT.security}</a>.
          </li>
        </ul>
      </>
    ),
  },
];
