import { Link } from "react-router";
import { EMAIL_TOKEN_HOURS, MAX_SECURITY_EVENTS, SESSION_DAYS, SESSION_IDLE_HOURS } from "../../contract/limits.ts";
import { FactList } from "../components/site/fact-list.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { TextPage } from "../components/site/text-page.tsx";
import type { TextSection } from "../components/site/text-page.tsx";
import { CONTACT, mailto, OPERATOR } from "../content/contact.ts";
import { LEGAL_TEXTS_UPDATED } from "../content/promises.ts";
import { RETENTION } from "../content/retention.ts";
import { pageMeta } from "../lib/page-meta.ts";
import { BULK_DATABASE, BULK_KEPT_DAYS } from "../lib/session/kept-check.ts";

const SECTIONS: readonly TextSection[] = [
  {
    title: "In short",
    body: (
      <>
        <ul>
          <li>
            <strong>The numbers you verify are never stored and never logged.</strong> We read a number in memory,
            verify it, and forget it, whether or not it’s valid, with a live key, a test key, or in the demo.
          </li>
          <li>We keep only what your account needs, plus usage counts.</li>
          <li>These pages set no cookies, run no analytics, and load nothing from third parties.</li>
          <li>You can delete your account in the dashboard at any time.</li>
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
          what happens with the data described here, and is its controller.{" "}
          {OPERATOR === null ? "The operator will give you its name and address on request." : `It is: ${OPERATOR}.`}{" "}
          Write to <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a>.
        </p>
        <p>
          For the phone numbers you send us, the roles are reversed: you decide which numbers to verify and why. You are
          their controller, and we process them on your behalf, for as long as a response takes.
        </p>
      </>
    ),
  },
  {
    title: "Numbers you verify",
    body: (
      <>
        <p>
          A verification compares a number with published numbering plans and registers. That happens in the memory of
          the server that receives your request; we don’t pass the number to any carrier, database, or other service.
          Once we send the response, the number is gone. It isn’t in any table, log, or backup.
        </p>
        <p>
          What remains is a count: how many numbers, by account, key, day, mode, and country, and whether they were
          valid. That’s what your usage report shows. We also keep when each key was last used.
        </p>
        <p>
          The activity list in your dashboard holds a sample of your calls, about the last 500 that succeeded and the
          last 500 that didn’t: when, which key, which call, status and error code, how many numbers, the names of the
          fields that were sent, the country of a single number, how long it took, and the data center. It never holds a
          phone number, an IP address, or a hash of either.
        </p>
        <p>
          There is one derived value. If you send an <code>Idempotency-Key</code>, we remember a keyed hash of your
          account, that header, and the request for two days, so a retry counts once. The hash can’t be turned back into
          the number.
        </p>
        <p>
          <strong>The demo</strong> on the home page works the same way. We don’t keep the lookup. We only count how
          many came from your IP address in the last minute, as described under{" "}
          <Link to="#limits-and-logs">Limits and logs</Link>.
        </p>
      </>
    ),
  },
  {
    title: "Your account",
    body: (
      <>
        <p>
          You give us a name, an email address, and a password when you register. The rest comes from using the account.
        </p>
        <FactList
          facts={[
            ["Name and email", "As you typed them (the address in lower case), and when the address was verified."],
            [
              "Password",
              "Never the password, only its salted scrypt hash, which is slow to guess and can’t be reversed.",
            ],
            [
              "API keys",
              "Never the key, only its SHA-256 hash and its last four characters, with its name, its mode, and when it was created, last used, and revoked.",
            ],
            [
              "Subscription",
              "Your plan, when it starts and ends, and which notices we’ve sent you about it. There are no payment details, because there’s nothing to pay for yet.",
            ],
            [
              "Trial",
              "That you’ve had one, as a keyed hash of your address that can’t be reversed. Plus-addressing and Gmail dot variants count as the same address. We check the domain against public lists of email providers, on our own servers. We also count the trials of a domain and of a network, as keyed hashes.",
            ],
            [
              "Sessions",
              "For each logged-in browser: the browser and operating system, the country it logged in from, and when it logged in, was last used (to the hour), and last received your password. You can see them in Settings.",
            ],
            [
              "Two-factor authentication",
              "If you set it up: your authenticator app’s secret, encrypted; each passkey’s public key, name, and when it was added and last used; recovery codes as hashes. We never receive fingerprint or face data.",
            ],
            [
              "Security events",
              "Events such as logins, failed logins, and changes to email addresses, passwords, keys, and two-factor authentication: when, and from which browser and country. For a change of email, both addresses. You can see them in Settings.",
            ],
            ["Usage", "How many numbers, by day, mode, country, and outcome. Never which ones."],
            [
              "Links in emails",
              `The hash of each link’s token, when it expires (${EMAIL_TOKEN_HOURS.verify_email} hours for a verification or a change of email, ${EMAIL_TOKEN_HOURS.undo_email_change} to undo one, ${EMAIL_TOKEN_HOURS.reset_password} hour for a new password), the new or previous address of a change of email and what an undo would reach back to, and, until the address is verified, the name and password hash of each of its first twenty registrations, with a hash of a random value from the browser.`,
            ],
          ]}
        />
        <p>
          You can’t have an account without a name, an address, and a password. You don’t need to give us any
          information to read these pages or use the demo. We don’t buy data about you or make decisions about you by
          profiling.
        </p>
      </>
    ),
  },
  {
    title: "Limits and logs",
    body: (
      <>
        <p>
          Every request comes from an IP address. To slow down anyone who guesses passwords, floods the demo, or
          triggers emails to you, we count attempts by account, address, and network, and emails by mailbox and domain.
          The counters are stored under keyed hashes, so no one can tell to whom they belong. An email that waits
          because of a limit keeps the hashes of its network and domain until it’s sent. For the same purpose, our host
          counts requests by address for a minute, and our servers share how much of its rate limit an account has used,
          under a hash that lasts a few minutes.
        </p>
        <p>
          Our logs have a line for each request: a random ID, the method, the type of call, the status, and how long it
          took. They contain no phone number, key, token, password, name, email address, or IP address, and no path or
          body that could include one.
        </p>
      </>
    ),
  },
  {
    title: "Emails",
    body: (
      <p>
        We only send service emails: to verify or change your address, to reset a password, and to let you know when a
        password or your address changes, a live key is created, a security setting changes, someone tries to use your
        address for another account, a quota is nearly or fully used, or a trial is about to end. There’s no newsletter
        and no advertising, and our emails contain no images and no tracking.
      </p>
    ),
  },
  {
    title: "What your browser keeps",
    body: (
      <>
        <p>
          We set no cookies. Your browser keeps a few values for this site only, because the site needs them to work. In
          local storage, until you delete them:
        </p>
        <FactList
          facts={[
            [
              "authToken",
              `Your dashboard session. It lasts up to ${SESSION_DAYS} days, and is deleted when you log out.`,
              <code key="term">authToken</code>,
            ],
            [
              "checklist-dismissed",
              "That you dismissed the dashboard’s first steps, by account ID. It’s deleted with the account.",
              <code key="term">checklist-dismissed</code>,
            ],
            [
              "registrationNonce",
              "A random value created when you register. It shows that a verification link was opened in the same browser.",
              <code key="term">registrationNonce</code>,
            ],
            [
              "changelog-seen",
              "The newest API version when you last opened the changelog.",
              <code key="term">changelog-seen</code>,
            ],
            ["theme", "Light or dark, if you’ve chosen one.", <code key="term">theme</code>],
            ["language", "The programming language you last chose for code samples.", <code key="term">language</code>],
          ]}
        />
        <p>
          In session storage, until you close the tab: each page’s scroll position, whether the dashboard shows test or
          live keys, and when a page was last reloaded because part of it was missing.
        </p>
        <p>
          In its IndexedDB database <code>{BULK_DATABASE}</code>: the list you verify in Bulk verify and its results, so
          you don’t lose them on reload and can come back to them. They’re deleted when you delete or cancel it or start
          a new one, when you log out or another account logs in, and the next time you open the dashboard after{" "}
          {BULK_KEPT_DAYS} days. Only the numbers and their countries go to the API, as with any call; we don’t store
          them.
        </p>
        <p>
          You can delete all of it in your browser at any time. There are no analytics, no tracking pixels, and no
          fingerprinting. Fonts, scripts, and images all come from this site.
        </p>
      </>
    ),
  },
  {
    title: "Legal grounds",
    body: (
      <>
        <p>Where the General Data Protection Regulation or a similar law applies, these are our grounds:</p>
        <ul>
          <li>
            <strong>Our contract with you</strong> (Article 6(1)(b)): your account, keys, subscription, usage counts,
            and the emails about them.
          </li>
          <li>
            <strong>Our legitimate interest</strong> (Article 6(1)(f)) in a secure, working service: limits on attempts,
            blocking revoked keys, one trial per person, and logs.
          </li>
          <li>
            <strong>The law</strong> (Article 6(1)(c)), if it requires us to keep or hand over data.
          </li>
        </ul>
        <p>We don’t do anything that requires your consent, so we don’t ask for it. We don’t sell or rent data.</p>
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
              "Our host. Every request passes through its network, which sees the IP address it comes from. It also hosts our database, queues, and logs.",
            ],
            [
              "Email provider",
              "Cloudflare or Resend, depending on how this installation is set up. It receives your address and the text of each email in order to deliver it.",
            ],
            [
              "Have I Been Pwned",
              "Only if this installation checks new passwords against its list of breached passwords. It receives five characters of the password’s SHA-1 hash, which hundreds of listed passwords share. It never receives the password, your identity, or your IP address.",
            ],
          ]}
        />
        <p>
          The first two act on our instructions. No one else receives data from us unless the law requires it. To find
          out which email provider we use, write to <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a>.
        </p>
      </>
    ),
  },
  {
    title: "Where it happens",
    body: (
      <p>
        Requests are handled in the data center nearest to the caller, anywhere in the world. Our providers may process
        data outside your country, including in the United States; in their data processing agreements, they commit to
        the European Commission&rsquo;s standard contractual clauses for such transfers.
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
            ["Activity: your keys’ recent calls", `${RETENTION.activityDays} days, up to about 1,000 calls.`],
            ["Unverified accounts", `${RETENTION.unverifiedDays} days, or as long as a verification link works.`],
            [
              "Hashes for counting retries once",
              `${RETENTION.callHours} hours after the call with an Idempotency-Key, or one hour for calls from our SDKs; deleted within two days after that.`,
            ],
            [
              "Sessions",
              `Until you log out or end them, ${SESSION_IDLE_HOURS} hours after last use, or ${SESSION_DAYS} days after they began.`,
            ],
            ["Two-factor authentication", "Until you turn it off or delete your account."],
            [
              "Security events",
              `${RETENTION.securityEventDays} days, up to the newest ${MAX_SECURITY_EVENTS}. We keep your last login until the next one, so we can recognize new devices.`,
            ],
            ["Links in emails", `${RETENTION.expiredLinkDays} days after they expire.`],
            [
              "Attempt counters",
              `As long as the limit’s window, up to ${RETENTION.attemptHours} hours. We remember the addresses you log in from for ${RETENTION.knownAddressDays} days, so someone guessing elsewhere can’t lock you out.`,
            ],
            [
              "Copies of keys near callers",
              "Until the key is revoked or erased, and a few minutes after. They contain IDs, plan, and cap, but no name or address.",
            ],
            [
              "Revoked and erased keys",
              "Permanently, as a hash at the edge, so they can’t be used. Without the key, no one can tell whose it was.",
            ],
            [
              "Failed messages",
              "We keep undelivered counts and emails until an operator reviews them. They contain IDs and counts, and nothing else about you.",
            ],
            [
              "Trial record",
              `As long as the account exists, and for ${RETENTION.trialDays} days after it’s deleted, as a hash only. Counts of trials: ${RETENTION.domainTrialsDays} days for a domain, ${RETENTION.networkTrialsDays} for a network, and for a domain that gives away names.`,
            ],
            ["Logs", "Up to 7 days, per our host’s policy."],
            ["Recovery copies", "Our host can restore the database to any point in the last 30 days."],
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
        <p>You can do much of this yourself:</p>
        <ul>
          <li>
            <strong>Access and export.</strong> The dashboard shows your account, keys, usage, and activity. Export all
            of it as JSON in Settings, or your usage as CSV in Reports.
          </li>
          <li>
            <strong>Erase.</strong> You can delete your account in the dashboard; all you need is your password. Your
            account, keys, subscription, links, and usage are erased from the live database right away. Our host’s
            recovery copies keep them for up to 30 more days. Anything the list above keeps longer is a hash or an ID
            that no longer leads to you.
          </li>
          <li>
            <strong>Erase an account you didn’t create.</strong> If someone signed up with your address, reset the
            password. The email goes to you, the account becomes yours, and you can delete it.
          </li>
        </ul>
        <p>
          You can also ask us for a copy of your data, ask us to correct or erase it, restrict what we do with it, or
          object to it. Write to <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a> from your account’s address. We
          respond within a month. If you’re not satisfied, you can complain to the data protection authority where you
          live or work.
        </p>
        <p>
          If one of our customers verified your number, we have nothing to show you or erase. Please ask the company
          that sent it.
        </p>
      </>
    ),
  },
  {
    title: "Children",
    body: (
      <p>
        Checkline is a tool for developers. It isn’t intended for anyone under 16, and we don’t knowingly keep their
        data. If a child has signed up, write to us and we’ll delete the account.
      </p>
    ),
  },
  {
    title: "Security",
    body: (
      <>
        <p>
          The safest data is data we don’t have: no numbers, no keys, no passwords, no payment details. Everything else
          is encrypted in transit, stored as a hash wherever a hash is enough, and protected by limits on every kind of
          guessing. You can turn on two-factor authentication. Changing the password ends all other sessions, and we
          email you about a new live key, a login on a new device, or a change to two-factor authentication.
        </p>
        <p>
          No system is perfectly secure. If ours puts your data at risk, we’ll notify you and the authorities as the law
          requires. If you’ve found a vulnerability, please write to{" "}
          <a href={mailto(CONTACT.security, "Security report")}>{CONTACT.security}</a> before you disclose it.
        </p>
      </>
    ),
  },
  {
    title: "Changes",
    body: (
      <p>
        When the service changes, we update this policy and the date at the top. If a change lets us do more with your
        data, we post it here at least 14 days before it takes effect.
      </p>
    ),
  },
  {
    title: "Contact",
    body: (
      <p>
        Privacy questions and requests: <a href={mailto(CONTACT.privacy, "Privacy")}>{CONTACT.privacy}</a>. Everything
        else: <a href={mailto(CONTACT.support)}>{CONTACT.support}</a>. We keep your messages until the matter is
        resolved, or longer if the law requires it.
      </p>
    ),
  },
];

export function meta() {
  return pageMeta({
    title: "Privacy policy · Checkline",
    description:
      "What Checkline stores and for how long, what it never stores, who handles it, and how to see, export, or erase your data.",
    path: "/policy",
  });
}

export default function Policy() {
  return (
    <SiteFrame>
      <TextPage
        title="Privacy policy"
        lead="A verification service sees other people’s phone numbers. We don’t keep them. This page lists the little we do keep about you, and why."
        updated={LEGAL_TEXTS_UPDATED}
        sections={SECTIONS}
        numbered
      />
    </SiteFrame>
  );
}
