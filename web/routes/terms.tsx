import { Link } from "react-router";
import { MAX_ACTIVE_KEYS, NUMBERS_PER_MINUTE, PLAN_QUOTA, REQUESTS_PER_MINUTE, TRIAL } from "../../contract/limits.ts";
import { FactList } from "../components/site/fact-list.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { TextPage } from "../components/site/text-page.tsx";
import type { TextSection } from "../components/site/text-page.tsx";
import { CONTACT, mailto } from "../content/contact.ts";
import { FREE_TIER_LIABILITY_USD, LEGAL_TEXTS_UPDATED, P95_TARGET_MS, UPTIME_TARGET } from "../content/promises.ts";
import { pageMeta } from "../lib/page-meta.ts";

const COUNT = new Intl.NumberFormat("en-US");

/** Successful live verifications that the free tier holds. */
const TRIAL_QUOTA = COUNT.format(TRIAL.quota);

function perMinute(keys: keyof typeof REQUESTS_PER_MINUTE): string {
  return `${COUNT.format(REQUESTS_PER_MINUTE[keys])} requests and ${COUNT.format(NUMBERS_PER_MINUTE[keys])} numbers a minute`;
}

function quotaOf(quota: number | null): string {
  return quota === null ? "no quota" : `${COUNT.format(quota)} successful live verifications`;
}

const SECTIONS: readonly TextSection[] = [
  {
    title: "Who agrees to what",
    body: (
      <>
        <p>
          These terms are an agreement between you and the operator of this site, the person or organization that runs
          Checkline at this address; “we” is that operator. They apply from the moment you create an account or call the
          API. If you do so for an organization, you confirm that you may agree on its behalf, and “you” is that
          organization.
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
          Checkline returns what the published numbering plans say about a phone number: whether it is valid, its
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
        think someone else has gained access, change the password and write to{" "}
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
          You may have up to {MAX_ACTIVE_KEYS} active keys of each mode. Test keys use a sandbox and are for development
          only. We may revoke keys that are used against these terms, or that have plainly become public.
        </p>
      </>
    ),
  },
  {
    title: "The free tier",
    body: (
      <p>
        Every person may activate the free trial once, whatever addresses they use: {TRIAL.days} days with {TRIAL_QUOTA}{" "}
        successful live verifications. These terms call it the free tier. It needs no payment details and ends after{" "}
        {TRIAL.days} days or, for live verifications, with the last of the {TRIAL_QUOTA}. It never renews, and there is
        nothing to cancel. One person or organization may not open several accounts to have it more than once.
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
          Billing is per successful request: a live verification that returns <code>valid: true</code>. Invalid numbers,
          rejected requests and all calls with a test key are free. In a batch, each number counts for itself. A retry
          under the same <code>Idempotency-Key</code> counts once, as the documentation describes.
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
            ["Test keys", `${perMinute("test")}, without counting toward a quota`],
            ["Free tier", `${perMinute("trial")}, ${quotaOf(PLAN_QUOTA.trial)}`],
            ["Pro", `${perMinute("pro")}, ${quotaOf(PLAN_QUOTA.pro)}`],
          ]}
        />
        <p>
          All live keys of an account share these limits, and all test keys others. A batch is one request. Beyond a
          limit the API returns 429 and says when to retry. Please respect that, and do not spread calls over accounts
          to get around it.
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
          <li>to resell the bare results as a lookup service, or as data about people;</li>
          <li>where a wrong result could put life, health or property at risk, emergency calls above all;</li>
          <li>
            to disturb the service or to get around its limits. Honest security research is welcome: stay within your
            own account, and tell us at <a href={mailto(CONTACT.security, "Security report")}>{CONTACT.security}</a>.
          </li>
        </ul>
      </>
    ),
  },
  {
    title: "What a result means",
    body: (
      <>
        <p>
          A result is based on numbering plans and on data derived from them. It says that a number could exist as it is
          written, not that it does. In particular:
        </p>
        <ul>
          <li>
            A valid number need not be in service, and may belong to anybody. No network is queried and no handset is
            contacted. Nothing in a result guarantees that a call or message will arrive.
          </li>
          <li>
            The carrier is the one the range was originally allocated to. Where numbers can be ported, a number may have
            moved to another since.
          </li>
          <li>
            Where a plan does not tell mobile from fixed, the result does not either. Area and time zones are those of
            the range, not of the person.
          </li>
          <li>
            Plans change. Between a regulator&rsquo;s decision and the data that follows it, a result can be out of
            date.
          </li>
        </ul>
        <p>Don't let a result alone decide anything that matters to a person.</p>
      </>
    ),
  },
  {
    title: "Availability",
    body: (
      <p>
        We aim for {UPTIME_TARGET} uptime in every month, and to complete 95 of 100 verifications (p95) in under{" "}
        {P95_TARGET_MS} ms, measured at our servers. These are targets, not guarantees: missing one gives no claim to a
        refund or to damages. We may interrupt the service for maintenance, and keep that short.
      </p>
    ),
  },
  {
    title: "Data",
    body: (
      <p>
        What we store, and that the numbers you verify are never among it, is in the{" "}
        <Link to="/policy">privacy policy</Link>. You are responsible for having the right to send us a number. We
        process it on your behalf and on your instruction, which is the request itself; that is also all we do with it.
      </p>
    ),
  },
  {
    title: "Software and sources",
    body: (
      <p>
        The results are yours to use in your products. Checkline itself is open source under the MIT license, and the
        data it draws on comes from Google&rsquo;s libphonenumber under the Apache License 2.0, as the NOTICE file in
        its source says. Those licenses govern the software and the data; these terms govern the service. The name
        Checkline and its mark are not yours to use as if a product were ours.
      </p>
    ),
  },
  {
    title: "Ending it",
    body: (
      <>
        <p>
          <strong>You</strong> can stop at any time by deleting your account in the dashboard. That takes effect at once
          and cannot be undone.
        </p>
        <p>
          <strong>We</strong> may revoke keys, or suspend or close an account, for abuse, or when these terms are
          seriously broken, when the account endangers the service or others, or when the law requires it. Where we can,
          we notify you first and let you fix the problem. We may also end the service as a whole, with 30 days&rsquo;
          notice on this site.
        </p>
        <p>
          What has been used by then stays owed if it had a price. The sections on warranty and liability stay in force.
        </p>
      </>
    ),
  },
  {
    title: "No warranty",
    body: (
      <p>
        The service is provided “as is” and “as available”. As far as the law allows, we give no warranty of any kind,
        express or implied, including warranties of merchantability, fitness for a particular purpose, accuracy and
        non-infringement. The targets and descriptions above are no warranties.
      </p>
    ),
  },
  {
    title: "Liability",
    body: (
      <>
        <p>
          As far as the law allows, neither of us is liable to the other for lost profit, lost data or other indirect or
          consequential damage arising from the service.
        </p>
        <p>
          <strong>
            As far as the law allows, all we can owe you in connection with the free tier is limited to{" "}
            {FREE_TIER_LIABILITY_USD} US dollars in total.
          </strong>{" "}
          In connection with a paid plan it is limited to what you paid for the service in the twelve months before the
          event, or to the same {FREE_TIER_LIABILITY_USD} US dollars if that is more.
        </p>
        <p>
          Nothing in these terms limits liability that the law does not allow to be limited, such as for intent, for
          gross negligence, or for death or injury, and nothing takes away the rights that consumers cannot waive.
        </p>
      </>
    ),
  },
  {
    title: "Changes to these terms",
    body: (
      <p>
        We may change these terms. The new text is posted on this page, with its date, at least 14 days before it
        applies to existing accounts; changes that are only in your favor, or that the law requires, may apply sooner.
        If you keep using the service after that, you accept them. If you do not, you can delete your account.
      </p>
    ),
  },
  {
    title: "Law",
    body: (
      <>
        <p>
          These terms are governed by the law of the place where the operator of this site is established, and its
          courts are responsible for disputes. If you are a consumer, you keep the protection of the mandatory law of
          the country you live in, and may go to the courts there. Before either of us goes to court, let us try to
          settle it by email.
        </p>
        <p>
          The operator gives its name and that place to anyone who asks. If a part of these terms turns out to be
          invalid, the rest remains in force.
        </p>
      </>
    ),
  },
  {
    title: "Contact",
    body: (
      <p>
        Questions about these terms: <a href={mailto(CONTACT.support, "Terms of service")}>{CONTACT.support}</a>.
      </p>
    ),
  },
];

export function meta() {
  return pageMeta({
    title: "Terms of service · Checkline",
    description:
      "The terms of the Checkline API: keys, the free tier, billing per successful request, rate limits, availability and liability.",
    path: "/terms",
  });
}

export default function Terms() {
  return (
    <SiteFrame>
      <TextPage
        title="Terms of service"
        lead="What you can expect from Checkline, what we expect from you, and what a result about a phone number can and cannot tell you."
        updated={LEGAL_TEXTS_UPDATED}
        sections={SECTIONS}
        numbered
      />
    </SiteFrame>
  );
}
