import { Link } from "react-router";
import { EMAIL_TOKEN_LIFETIME, MAX_SECURITY_EVENTS, SESSION_DAYS, SESSION_IDLE_HOURS } from "../../contract/limits.ts";
import { FactList } from "../components/site/fact-list.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { TextPage } from "../components/site/text-page.tsx";
import type { TextSection } from "../components/site/text-page.tsx";
import { CONTACT, mailto, OPERATOR } from "../content/contact.ts";
import { LEGAL_TEXTS_UPDATED } from "../content/promises.ts";
import { RETENTION } from "../content/retention.ts";
import { pageMeta } from "../lib/page-meta.ts";
import { BULK_DATABASE, BULK_KEPT_DAYS } from "../lib/session/kept-check.ts";

const HOUR_MS = 3_600_000;

const SECTIONS: readonly TextSection[] = [
  {
    title: "In short",
    body: (
      <>
        <ul>
          <li>
            <strong>The numbers you verify are never stored and never logged.</strong> A number is read in memory,
            verified and forgotten, whether it was valid or not, with a live key, a test key or in the demo.
          </li>
          <li>We keep what an account cannot do without, and counts of what it has used.</li>
          <li>These pages set no cookies, run no analytics and load nothing from anybody else.</li>
          <li>You can erase your account yourself, at any time, in the dashboard.</li>
        </ul>
      </>
    ),
  },
  {
    title: "Who is responsible",
    body: (
      <>
        <p>
          “We” is the operator of this site: the person or organization that runs Checkline at this address, decides
          what happens with the data described here and is its controller.{" "}
          {OPERATOR === null ? "It gives its name and address to anyone who asks." : `It is: ${OPERATOR}.`} Write to{" "}
          <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a>.
        </p>
        <p>
          For the phone numbers that you send us, it is the other way around: you decide which numbers are verified and
          why. You are their controller, and we process them on your behalf, for as long as a response takes.
        </p>
      </>
    ),
  },
  {
    title: "Numbers you verify",
    body: (
      <>
        <p>
          A verification compares a number with the published numbering plans. That happens in the memory of the server
          that takes your request: the number is passed on to no carrier, no database and no other service. Once the
          response has been sent, the number is gone. It is in no table, no log and no backup.
        </p>
        <p>
          What remains is a count: how many numbers, by account, key, day, mode, country, and whether they were valid.
          That is what your usage report shows. We also keep when each key was last used.
        </p>
        <p>
          The activity list in your dashboard holds a sample of your calls, about the last 500 that succeeded and the
          last 500 that did not: when, which key, which call, status and error code, how many numbers, the country of a
          single number, how long it took, and the data center. It never holds a number, a network address, or a hash of
          them.
        </p>
        <p>
          There is one derived value. If you send an <code>Idempotency-Key</code>, so that a retry counts once, we
          remember a keyed hash of your account, that header and the request for two days. The hash cannot be turned
          back into the number.
        </p>
        <p>
          <strong>The demo</strong> on the home page works the same way. The lookup is not kept. We only count how many
          were made from your network address in the last minute, as described under{" "}
          <Link to="#limits-and-logs">Limits and logs</Link>.
        </p>
      </>
    ),
  },
  {
    title: "Your account",
    body: (
      <>
        <p>You give us a name, an email address and a password when you register. The rest comes from using it.</p>
        <FactList
          facts={[
            ["Name and email", "As you typed them, the address in lower case, and when it was verified."],
            [
              "Password",
              "Never the password: only its salted scrypt hash, which is made to be slow to guess and cannot be reversed.",
            ],
            [
              "API keys",
              "Never the key: only its SHA-256 hash and its last four characters, with the name you gave it, its mode, and when it was created, last used and revoked.",
            ],
            [
              "Subscription",
              "The plan, when it starts and ends, and which notices about it you have been sent. There are no payment details, because nothing can be paid for yet.",
            ],
            [
              "Trial",
              "That you have had one: a keyed hash of your address, from which nobody can read it. An address with a part after a plus sign, or with other dots at Gmail, is the same. We compare the domain with a public list of throwaway mailboxes, here and not with anybody else.",
            ],
            [
              "Sessions",
              "For each browser that is logged in: what kind of browser and system it is, the country it logged in from, and when it logged in, was last used (to the hour) and was last given your password. Settings shows them to you.",
            ],
            [
              "Second factors",
              "If you set one up: the secret of your authenticator app, encrypted; of a passkey its public key, the name you gave it, and when it was added and last used; recovery codes as hashes. Nothing of a fingerprint or face reaches us.",
            ],
            [
              "Security events",
              "List security events's security, such as logins, failed ones, passwords, keys and second factors: when, and from what kind of browser and which country. Settings shows it to you.",
            ],
            ["Usage", "How many numbers, by day, mode, country and outcome. Never which."],
            [
              "Links in emails",
              `The hash of each link's token, until when it works (${EMAIL_TOKEN_LIFETIME.verify_email / HOUR_MS} hours for a verification, ${EMAIL_TOKEN_LIFETIME.reset_password / HOUR_MS} hour for a new password), and, until the address is verified, the name and password hash of each of its last five registrations, with a hash of a random value from the browser.`,
            ],
          ]}
        />
        <p>
          Without a name, an address and a password there can be no account. You need not give us anything to read these
          pages or to use the demo. We do not buy data about you, and we make no decisions about you by profiling.
        </p>
      </>
    ),
  },
  {
    title: "Limits and logs",
    body: (
      <>
        <p>
          Every request reaches us from a network address. To slow down anyone who guesses passwords, floods the demo or
          sends emails to you, we count attempts by account and by address. The counters are filed under keyed hashes:
          from what is stored, nobody can read which account or which address it was. For the same purpose, our host
          counts requests by address for a minute, and our servers share with each other, under a hash that lasts a few
          minutes, how much of its rate limit an account has used.
        </p>
        <p>
          Our logs have a line for each request: a random id, the method, the kind of call, the status and how long it
          took. They hold no phone number, key, token, password, name, email address or network address, and no path or
          body that could contain one.
        </p>
      </>
    ),
  },
  {
    title: "Emails",
    body: (
      <p>
        We send the emails that the service needs: to verify your address, to reset a password, to tell you that a
        password was changed or a live key was created, that somebody tried to register your address again, that a quota
        is nearly or fully used, and that a trial is about to end. There is no newsletter and no advertising, and the
        emails contain no images and no tracking.
      </p>
    ),
  },
  {
    title: "What your browser keeps",
    body: (
      <>
        <p>
          We set no cookies. Your browser keeps a few values for this site only, because the site needs them to do what
          you ask of it. In its local storage, until you delete them:
        </p>
        <FactList
          facts={[
            [
              "authToken",
              `Your session, after you have logged in to the dashboard. It works for ${SESSION_DAYS} days at most, and goes when you log out.`,
              <code key="term">authToken</code>,
            ],
            [
              "checklist-dismissed",
              "That you put the dashboard’s first steps away, under your account’s id. It goes with the account.",
              <code key="term">checklist-dismissed</code>,
            ],
            [
              "registrationNonce",
              "A random value, made when you register. It shows that a verification link is opened in the browser that registered.",
              <code key="term">registrationNonce</code>,
            ],
            ["theme", "Light or dark, if you have chosen one yourself.", <code key="term">theme</code>],
            ["language", "Which programming language you last chose to see code in.", <code key="term">language</code>],
          ]}
        />
        <p>
          In its session storage, until you close the tab: how far each page was scrolled, whether the dashboard shows
          test or live keys, and when a page was last loaded again because part of it could not be found.
        </p>
        <p>
          In its IndexedDB database <code>{BULK_DATABASE}</code>: the list of a bulk check and its results, so that a
          reload does not lose them. They are deleted once the check is done and you have downloaded all of it, when you
          cancel it or begin a new one, when you log out or another account logs in, and the next time you open the
          dashboard after {BULK_KEPT_DAYS} days. Only the numbers go to the API, as with any call; we store none of
          them.
        </p>
        <p>
          You can delete all of it in your browser at any time. There are no analytics, no tracking pixels and no
          fingerprints; fonts, scripts and images all come from this site.
        </p>
      </>
    ),
  },
  {
    title: "Legal grounds",
    body: (
      <>
        <p>Where the General Data Protection Regulation or a law like it applies, these are our grounds:</p>
        <ul>
          <li>
            <strong>Our contract with you</strong> (Article 6(1)(b)): your account, keys, subscription, usage counts and
            the emails about them.
          </li>
          <li>
            <strong>Our legitimate interest</strong> (Article 6(1)(f)) in a service that is secure and works: limits on
            attempts, the refusal of revoked keys, one trial for a person, logs.
          </li>
          <li>
            <strong>The law</strong> (Article 6(1)(c)), should it oblige us to keep or to hand over something we have.
          </li>
        </ul>
        <p>We do nothing that would need your consent, so we do not ask for it. We do not sell or rent data.</p>
      </>
    ),
  },
  {
    title: "Who else handles data",
    body: (
      <>
        <FactList
          facts={[
            [
              "Cloudflare",
              "Our host. Every request passes through its network, which sees the network address it comes from; the database, the queues and the logs are kept there.",
            ],
            [
              "Email provider",
              "Cloudflare or Resend, whichever this installation is set up with: it receives your address and the text of each email, in order to deliver it.",
            ],
            [
              "Have I Been Pwned",
              "Only where this installation looks new passwords up in its list of passwords from data breaches. It receives five characters of a fingerprint (SHA-1) of the password, which hundreds of listed passwords share: neither the password, nor who chose it, nor your network address.",
            ],
          ]}
        />
        <p>
          The first two act on our instructions. Nobody else receives data from us, unless the law leaves us no choice.
          If you want to know which email provider it is, ask at <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a>
          .
        </p>
      </>
    ),
  },
  {
    title: "Where it happens",
    body: (
      <p>
        Requests are handled in the data center nearest to the caller, anywhere in the world, and our providers may
        process data outside your country, the United States included; they commit themselves in their data processing
        agreements to the European Commission&rsquo;s standard contractual clauses for such transfers.
      </p>
    ),
  },
  {
    title: "How long we keep it",
    body: (
      <>
        <FactList
          facts={[
            ["Verified numbers", "Not at all."],
            ["Account, keys, subscription, daily usage counts", "As long as the account exists."],
            ["Activity: the last calls of your keys", `${RETENTION.activityDays} days, about 1,000 calls at most.`],
            [
              "Accounts that were never verified",
              `${RETENTION.unverifiedDays} days, or as long as a link to verify them works.`,
            ],
            [
              "Hashes that let a retry count once",
              `${RETENTION.callHours} hours after the call with its Idempotency-Key; for calls of our SDKs, one or two.`,
            ],
            [
              "Sessions",
              `Until you log out or end them, ${SESSION_IDLE_HOURS} hours after their last use, or ${SESSION_DAYS} days after they began.`,
            ],
            ["Second factors", "Until you remove them or the account."],
            [
              "Security events",
              `${RETENTION.securityEventDays} days; the newest ${MAX_SECURITY_EVENTS} at most. Your last login stays until the next, so that we can tell a new device.`,
            ],
            ["Links in emails", `${RETENTION.expiredLinkDays} days after they have expired.`],
            [
              "Counters of attempts",
              `As long as the limit looks back: ${RETENTION.attemptHours} hour at most. That you logged in from an address is remembered for ${RETENTION.knownAddressDays} days, so that guessers elsewhere cannot lock you out.`,
            ],
            [
              "Copies of keys near callers",
              `${RETENTION.keyCopyHours} hour after they were last refreshed. They hold ids, plan and quota, and no name or address.`,
            ],
            [
              "Revoked and erased keys",
              `${RETENTION.revokedKeyDays} days as a bare hash at the edge, so that they stay refused.`,
            ],
            [
              "Failed messages",
              "Counts and emails that could not be delivered are kept until an operator has looked at them. They hold ids, nothing else about you.",
            ],
            [
              "That you have had a trial",
              `As long as the account exists, and ${RETENTION.trialDays} days after it is deleted, as the hash alone.`,
            ],
            ["Logs", "Up to 7 days, by our host's rules."],
            ["Recovery copies", "Our host can restore the database to any moment of the last 30 days, then no more."],
          ]}
        />
        <p>Expired data is deleted {RETENTION.deleted}.</p>
      </>
    ),
  },
  {
    title: "Your rights",
    body: (
      <>
        <p>Much of this you can do yourself, without asking:</p>
        <ul>
          <li>
            <strong>Access and export.</strong> The dashboard shows your account, keys, usage and activity; Settings
            gives you all of it as a JSON file, and the usage report can be downloaded as a CSV file.
          </li>
          <li>
            <strong>Erase.</strong> Deleting the account in the dashboard takes your password and nothing more. Account,
            keys, subscription, links and usage are erased at once from the live database. Our host’s recovery copies
            hold them for up to 30 days more; whatever else the list above names for longer is a hash or an id that no
            longer leads to you, and it expires.
          </li>
          <li>
            <strong>Erase an account you did not make.</strong> If somebody registered your address, ask for a new
            password: the email reaches you, the account becomes yours, and you can delete it.
          </li>
        </ul>
        <p>
          You may also ask us for a copy of all data about you, to have it corrected or erased, to restrict what we do
          with it, or object to it. Write to <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a> from the address of
          the account; we respond within a month. If you are not satisfied with our response, you can complain to the
          data protection authority where you live or work.
        </p>
        <p>
          If your own number was verified by one of our customers, we hold nothing that we could show you or erase.
          Please ask the company that sent it.
        </p>
      </>
    ),
  },
  {
    title: "Children",
    body: (
      <p>
        Checkline is a tool for developers. It is not meant for anybody under 16, and we do not knowingly keep their
        data. If a child has registered, write to us and we will delete the account.
      </p>
    ),
  },
  {
    title: "Security",
    body: (
      <>
        <p>
          The best protection is what is not there: no numbers, no keys, no passwords, no payment details. What is there
          travels encrypted, is kept as hashes where a hash will do, and is protected by limits on every kind of
          guessing. You can require a second step for logins. Changing the password ends all other sessions, and we
          email you about a new live key, a login on a new device and a changed second factor.
        </p>
        <p>
          No system is beyond failure. If one of ours puts your data at risk, we notify you and the authorities as the
          law requires. If you have found a vulnerability, please write to{" "}
          <a href={mailto(CONTACT.security, "Security report")}>{CONTACT.security}</a> before you disclose it.
        </p>
      </>
    ),
  },
  {
    title: "Changes",
    body: (
      <p>
        When the service changes, this policy changes with it, and the date at its head says when it last did. A change
        that lets us do more with your data is posted here at least 14 days before it takes effect.
      </p>
    ),
  },
  {
    title: "Contact",
    body: (
      <p>
        Questions about privacy, and requests: <a href={mailto(CONTACT.privacy, "Privacy")}>{CONTACT.privacy}</a>.
        Everything else: <a href={mailto(CONTACT.support)}>{CONTACT.support}</a>. What you write to us, we keep until
        the matter is settled, and for as long as the law asks for.
      </p>
    ),
  },
];

export function meta() {
  return pageMeta({
    title: "Privacy policy · Checkline",
    description:
      "What Checkline stores and for how long, what it never stores, who handles it, and how to see, take or erase your data.",
    path: "/policy",
  });
}

export default function Policy() {
  return (
    <SiteFrame>
      <TextPage
        title="Privacy policy"
        lead="A verification service sees other people’s phone numbers. We don’t keep them. This page says what little we keep about you, and why."
        updated={LEGAL_TEXTS_UPDATED}
        sections={SECTIONS}
        numbered
      />
    </SiteFrame>
  );
}
