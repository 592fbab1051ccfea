import { Link } from "react-router";
import { EMAIL_TOKEN_LIFETIME, SESSION_DAYS } from "../../../contract/limits.ts";
import { FactList } from "../../components/site/fact-list.tsx";
import type { TextSection } from "../../components/site/text-page.tsx";
import { CONTACT, mailto, OPERATOR } from "../../content/contact.ts";

const HOUR_MS = 3_600_000;

/** The first half of the privacy policy: what there is, and where it comes from. */
export const DATA_SECTIONS: readonly TextSection[] = [
  {
    title: "In short",
    body: (
      <>
        <ul>
          <li>
            <strong>The numbers you verify are never stored and never logged.</strong> A number is read in memory,
            answered and forgotten, whether it was valid or not, with a live key, a test key or in the demo.
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
          “We” is the operator of this site: the person or organisation that runs Checkline at this address, decides
          what happens with the data described here and is its controller.{" "}
          {OPERATOR === null ? "It tells its name and address to anybody who asks." : `It is: ${OPERATOR}.`} Write to{" "}
          <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a>.
        </p>
        <p>
          For the phone numbers that you send us, it is the other way round: you decide which numbers are verified and
          why. You are their controller, and we process them on your behalf, for as long as it takes to answer.
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
          that takes your request, and asks nobody: the number is passed on to no carrier, no database and no other
          service. When the answer has been sent, the number is gone. It stands in no table, no log and no backup.
        </p>
        <p>
          What remains is a count: how many numbers, by account, key, day, mode, country, and whether they were valid.
          That is what your usage report shows. We also keep when each key was last used.
        </p>
        <p>
          There is one derived value. If you send an <code>Idempotency-Key</code>, so that a retry counts once, we
          remember a keyed hash of your account, that header and the request for two days. The hash cannot be turned
          back into the number.
        </p>
        <p>
          <strong>The demo</strong> on the home page works the same way. The look-up is not kept. We only count how many
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
            ["Usage", "How many numbers, by day, mode, country and outcome. Never which."],
            [
              "Links in mails",
              `The hash of each link's token, until when it works (${EMAIL_TOKEN_LIFETIME.verify_email / HOUR_MS} hours for a verification, ${EMAIL_TOKEN_LIFETIME.reset_password / HOUR_MS} hour for a new password), and the name and password hash that a registration brings with it.`,
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
          Every request reaches us from a network address. To slow down whoever guesses passwords, floods the demo or
          sends emails to you, we count attempts by account and by address. The counters are filed under keyed hashes:
          from what is stored, nobody can read which account or which address it was. For the same purpose, our host
          counts requests by address for a minute, and our servers tell each other, under a hash that lasts a few
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
              `Your session, after you have signed in to the dashboard. It works for ${SESSION_DAYS} days, and goes when you sign out.`,
              <code key="term">authToken</code>,
            ],
            [
              "checklist-dismissed",
              "That you put the dashboard’s first steps away, under your account’s id. It goes with the account.",
              <code key="term">checklist-dismissed</code>,
            ],
            ["theme", "Light or dark, if you have chosen one yourself.", <code key="term">theme</code>],
            ["language", "Which programming language you last chose to see code in.", <code key="term">language</code>],
          ]}
        />
        <p>
          In its session storage, until you close the tab: how far each page was scrolled, whether the dashboard shows
          test or live keys, and when a page was last loaded anew because part of it could not be found.
        </p>
        <p>
          You can delete all of it in your browser at any time. There are no analytics, no tracking pixels and no
          fingerprints; fonts, scripts and images all come from this site.
        </p>
      </>
    ),
  },
];
