import { Link } from "react-router";
import type { TextSection } from "../../components/site/text-page.tsx";
import { CONTACT, mailto } from "../../content/contact.ts";
import { FREE_TIER_LIABILITY_USD, P95_TARGET_MS, UPTIME_TARGET } from "../../content/promises.ts";

/** The second half of the terms: what can be relied on, what cannot, and how it ends. */
export const PROMISE_SECTIONS: readonly TextSection[] = [
  {
    title: "What an answer means",
    body: (
      <>
        <p>
          An answer rests on numbering plans and on data derived from them. It says that a number could exist as it is
          written, not that it does. In particular:
        </p>
        <ul>
          <li>
            A valid number need not be in service, and may belong to anybody. No network is asked and no handset is
            contacted. Nothing in an answer guarantees that a call or message will arrive.
          </li>
          <li>
            The carrier is the one the range was originally allocated to. Where numbers can be ported, a number may have
            moved to another since.
          </li>
          <li>
            Where a plan does not tell mobile from fixed, the answer does not either. Area and time zones are those of
            the range, not of the person.
          </li>
          <li>
            Plans change. Between a regulator&rsquo;s decision and the data that follows it, an answer can be out of
            date.
          </li>
        </ul>
        <p>Do not let an answer alone decide on anything that matters to a person.</p>
      </>
    ),
  },
  {
    title: "Availability",
    body: (
      <p>
        We aim for {UPTIME_TARGET} uptime in every month, and to answer 95 of 100 verifications (p95) in under{" "}
        {P95_TARGET_MS} ms, measured where our servers answer. These are targets, not guarantees: missing one gives no
        claim to a refund or to damages. We may interrupt the service for maintenance, and keep that short.
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
        The answers are yours to use in your products. Checkline itself is open source under the MIT licence, and the
        data it draws on comes from Google&rsquo;s libphonenumber under the Apache License 2.0, as the NOTICE file in
        its source says. Those licences govern the software and the data; these terms govern the service. The name
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
          we tell you first and let you put things right. We may also end the service as a whole, with 30 days&rsquo;
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
        We may change these terms. The new text stands on this page, with its date, at least 14 days before it applies
        to existing accounts; changes that are only in your favour, or that the law requires, may apply sooner. Whoever
        goes on using the service after that accepts them. If you do not, you can delete your account.
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
          settle it by mail.
        </p>
        <p>
          The operator names itself and that place to anybody who asks. If a part of these terms turns out not to be
          valid, the rest stands.
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
