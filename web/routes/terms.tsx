import { Link } from "react-router";
import { MAX_ACTIVE_KEYS } from "../../contract/limits.ts";
import { PLAN_IDS, PLANS, TEST_LIMITS, TRIAL } from "../../contract/plans.ts";
import type { Plan } from "../../contract/plans.ts";
import { FactList } from "../components/site/fact-list.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { TextPage } from "../components/site/text-page.tsx";
import type { TextSection } from "../components/site/text-page.tsx";
import { CONTACT, mailto } from "../content/contact.ts";
import { quotaText, rateText } from "../content/plan-terms.ts";
import { FREE_TIER_LIABILITY_USD, LEGAL_TEXTS_UPDATED, P95_TARGET_MS, UPTIME_TARGET } from "../content/promises.ts";
import { pageMeta } from "../lib/page-meta.ts";
import { formatCount } from "../../contract/format.ts";

/** Successful live verifications that the free tier holds. */
const TRIAL_QUOTA = formatCount(TRIAL.quota);

function planFact(id: Plan): readonly [name: string, limits: string] {
  const plan = PLANS[id];
  const quota = plan.quota === null ? "no quota" : quotaText(plan);
  return [id === "trial" ? "Free tier" : plan.name, `${rateText(plan)}, ${quota}`];
}

const SECTIONS: readonly TextSection[] = [
  {
    title: "Who agrees to what",
    body: (
      <>
        <p>
          These terms are an agreement between you and the operator of this site, the person or organization that runs
          Checkline at this address; “we” is that operator. They apply once you create an account or call the API. If
          you do so for an organization, you confirm that you’re authorized to agree on its behalf, and “you” means that
          organization.
        </p>
        <p>If you don’t agree, please don’t use the service.</p>
      </>
    ),
  },
  {
    title: "The service",
    body: (
      <>
        <p>
          Checkline returns what published numbering plans and registers say about a phone number: whether it’s valid,
          its country, area, and time zones, its type, and the carrier whose range it’s in. It is an API with a
          dashboard and <Link to="/docs/introduction">documentation</Link>. The documentation describes how it works and
          is part of these terms.
        </p>
        <p>
          We may improve or extend the service at any time. We announce breaking changes in the documentation in
          advance, except when security or legal reasons require immediate action.
        </p>
      </>
    ),
  },
  {
    title: "Your account",
    body: (
      <p>
        You must be at least 16 years old, use your own email address, and verify it. Keep your password private. You’re
        responsible for activity in your account unless you couldn’t have prevented it. If you think someone else has
        gained access, change the password and write to{" "}
        <a href={mailto(CONTACT.support, "My account")}>{CONTACT.support}</a>.
      </p>
    ),
  },
  {
    title: "API keys",
    body: (
      <>
        <p>
          A key is a secret. We show it once, when you generate it. Keep it where only your own servers can read it,
          never in an app or a public repository. Only a key with allowed origins may be used in a web page. Requests
          made with your key count as yours. If a key may have leaked, revoke it in the dashboard right away; it stops
          working everywhere within minutes.
        </p>
        <p>
          You may have up to {MAX_ACTIVE_KEYS} active keys in each mode. Test keys use a sandbox and are for development
          only. We may revoke keys that are used in violation of these terms, or that have clearly become public.
        </p>
      </>
    ),
  },
  {
    title: "The free tier",
    body: (
      <p>
        Each person may activate the free trial once, regardless of how many addresses they use: {TRIAL.days} days with{" "}
        {TRIAL_QUOTA} successful live verifications. These terms call it the free tier. It requires no credit card and
        ends after {TRIAL.days} days or, for live verifications, after the last of the {TRIAL_QUOTA}. It doesn’t renew,
        and there’s nothing to cancel. A person or organization may not open several accounts to get it more than once.
      </p>
    ),
  },
  {
    title: "Subscriptions and billing",
    body: (
      <>
        <p>
          Live keys only work while the account has an active subscription. The free tier counts. Generating a key in
          either mode also requires one; once generated, a test key works without it.
        </p>
        <p>
          Billing is per successful request: a live verification that returns <code>valid: true</code>. Invalid numbers,
          rejected requests, and all test key calls are free. In a batch, each number counts separately. A retry with
          the same <code>Idempotency-Key</code> counts once, as described in the documentation.
        </p>
        <p>
          <strong>We haven’t announced prices yet.</strong> We won’t charge you until you’ve seen a price and agreed to
          it. Until then, subscriptions beyond the free tier are available on request.
        </p>
      </>
    ),
  },
  {
    title: "Rate limits",
    body: (
      <>
        <p>Rate limits depend on your plan. The free tier has lower limits:</p>
        <FactList
          facts={[
            ["Test keys", `${rateText(TEST_LIMITS)}, without counting toward a quota`],
            ...PLAN_IDS.map(planFact),
          ]}
        />
        <p>
          All live keys in an account share these limits. Test keys share separate ones, and so do live keys for web
          pages. A batch is one request. Past a limit, the API returns 429 and tells you when to retry. Don’t spread
          calls over multiple accounts to get around them.
        </p>
      </>
    ),
  },
  {
    title: "Acceptable use",
    body: (
      <>
        <p>Use Checkline to verify numbers you have a legitimate reason to hold. Don’t use it</p>
        <ul>
          <li>to send or prepare unsolicited messages or calls, harassment, or fraud;</li>
          <li>to scan number ranges to find out which exist, or to build lists of them;</li>
          <li>with numbers the law doesn’t allow you to process;</li>
          <li>to resell the raw results as a lookup service or as data about people;</li>
          <li>where a wrong result could put life, health, or property at risk, especially for emergency calls;</li>
          <li>
            to disrupt the service or get around its limits. Good-faith security research is welcome: stay within your
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
          A result is based on numbering plans, on registers of who holds which numbers, and on data derived from them.
          It tells you that a number could exist as written, not that it does. In particular:
        </p>
        <ul>
          <li>
            A valid number may not be in service, and may belong to anyone. We don’t query networks or contact handsets.
            Nothing in a result guarantees that a call or message will arrive.
          </li>
          <li>
            The carrier, the holder, and any line type based on them come from the range’s original allocation. Where
            numbers can be ported, a number may have moved since, even between landline and mobile.
          </li>
          <li>
            If neither a plan nor a register distinguishes mobile from landline, the result doesn’t either. Area and
            time zones describe the range, not the person.
          </li>
          <li>
            Plans change. A result can be out of date until our data catches up with a regulator&rsquo;s decision.
          </li>
        </ul>
        <p>Don’t base a decision that matters to someone on a result alone.</p>
      </>
    ),
  },
  {
    title: "Availability",
    body: (
      <p>
        We aim for {UPTIME_TARGET} uptime every month, and for 95% of verifications (p95) to finish in under{" "}
        {P95_TARGET_MS} ms, measured at our servers. These are targets, not guarantees. Missing one doesn’t entitle you
        to a refund or damages. We may interrupt the service for maintenance, and we’ll keep it short.
      </p>
    ),
  },
  {
    title: "Data",
    body: (
      <p>
        For what we store, and how we never store the numbers you verify, see the{" "}
        <Link to="/policy">privacy policy</Link>. You’re responsible for having the right to send us a number. We
        process it on your behalf and on your instructions, which are the request itself. We do nothing else with it.
      </p>
    ),
  },
  {
    title: "Software and sources",
    body: (
      <p>
        The results are yours to use in your products. Checkline itself is open source under the MIT license, and the
        data it draws on comes from Google&rsquo;s libphonenumber under the Apache License 2.0, as its{" "}
        <a href="/NOTICE.txt">NOTICE file</a> says. Those licenses govern the software and the data; these terms govern
        the service. You may not use the Checkline name or logo to suggest that we made or endorse your product.
      </p>
    ),
  },
  {
    title: "Termination",
    body: (
      <>
        <p>
          <strong>You</strong> can stop at any time by deleting your account in the dashboard. Deletion is immediate and
          can’t be undone.
        </p>
        <p>
          <strong>We</strong> may revoke keys, or suspend or close an account, for abuse, or for serious violations of
          these terms, when the account endangers the service or others, or when the law requires it. Where we can,
          we’ll notify you first and let you fix the problem. We may also shut down the service, with 30 days&rsquo;
          notice on this site.
        </p>
        <p>
          You still owe any charges from before the end date. The sections on warranty and liability survive
          termination.
        </p>
      </>
    ),
  },
  {
    title: "No warranty",
    body: (
      <p>
        The service is provided “as is” and “as available.” To the extent the law allows, we make no warranties of any
        kind, express or implied, including warranties of merchantability, fitness for a particular purpose, accuracy,
        and non-infringement. The targets and descriptions above are not warranties.
      </p>
    ),
  },
  {
    title: "Liability",
    body: (
      <>
        <p>
          To the extent the law allows, neither of us is liable to the other for lost profits, lost data, or other
          indirect or consequential damages arising from the service.
        </p>
        <p>
          <strong>
            To the extent the law allows, our total liability in connection with the free tier is limited to{" "}
            {FREE_TIER_LIABILITY_USD} US dollars.
          </strong>{" "}
          For a paid plan, it’s limited to what you paid for the service in the twelve months before the event, or to{" "}
          {FREE_TIER_LIABILITY_USD} US dollars, whichever is more.
        </p>
        <p>
          Nothing in these terms limits liability that can’t be limited by law, such as for willful misconduct, gross
          negligence, death, or injury, or takes away rights that consumers can’t waive.
        </p>
      </>
    ),
  },
  {
    title: "Changes to these terms",
    body: (
      <p>
        We may change these terms. We’ll post the new text on this page, with its date, at least 14 days before it
        applies to existing accounts. Changes that only benefit you, or that the law requires, may apply sooner. If you
        keep using the service after that, you accept the changes. If you don’t agree, you can delete your account.
      </p>
    ),
  },
  {
    title: "Governing law",
    body: (
      <>
        <p>
          These terms are governed by the law of the place where the operator of this site is established, and its
          courts have jurisdiction over disputes. If you’re a consumer, you keep the protection of the mandatory laws of
          the country you live in, and you may go to court there. Before either of us goes to court, let’s try to settle
          it by email.
        </p>
        <p>
          The operator will give you its name and that place on request. If any part of these terms is invalid, the rest
          stays in force.
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
      "The terms of the Checkline API: keys, the free tier, billing per successful request, rate limits, availability, and liability.",
    path: "/terms",
  });
}

export default function Terms() {
  return (
    <SiteFrame>
      <TextPage
        title="Terms of service"
        lead="What you can expect from Checkline, what we expect from you, and what a result can and can’t tell you about a phone number."
        updated={LEGAL_TEXTS_UPDATED}
        sections={SECTIONS}
        numbered
      />
    </SiteFrame>
  );
}
