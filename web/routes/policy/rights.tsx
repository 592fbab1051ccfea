import { CONTACT, mailto } from "../../content/contact.ts";
import { RETENTION } from "../../content/retention.ts";
import { FactList } from "../../components/site/fact-list.tsx";
import type { TextSection } from "../../components/site/text-page.tsx";

/** The second half of the privacy policy: on what grounds, with whom, for how long, and what you can do about it. */
export const RIGHTS_SECTIONS: readonly TextSection[] = [
  {
    title: "Why we may",
    body: (
      <>
        <p>Where the General Data Protection Regulation or a law like it applies, these are our grounds:</p>
        <ul>
          <li>
            <strong>Our contract with you</strong> (Article 6(1)(b)): your account, keys, subscription, usage counts and
            the mails about them.
          </li>
          <li>
            <strong>Our legitimate interest</strong> (Article 6(1)(f)) in a service that is secure and works: limits on
            attempts, the refusal of revoked keys, logs.
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
              "Mail provider",
              "Cloudflare or Resend, whichever this installation is set up with: it receives your address and the text of each mail, in order to deliver it.",
            ],
          ]}
        />
        <p>
          Both act on our instructions. Nobody else receives data from us, unless the law leaves us no choice. If you
          want to know which mail provider it is, ask at <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a>.
        </p>
      </>
    ),
  },
  {
    title: "Where it happens",
    body: (
      <p>
        Requests are answered in the data centre nearest to the caller, anywhere in the world, and our providers may
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
            [
              "Hashes that let a retry count once",
              `${RETENTION.callHours} hours after the call with its Idempotency-Key; for calls of our SDKs, one or two.`,
            ],
            ["Links in mails", `${RETENTION.expiredLinkDays} days after they have expired.`],
            [
              "Counters of attempts",
              `As long as the limit looks back: ${RETENTION.attemptHours} hour at most. That you signed in from an address is remembered for ${RETENTION.knownAddressDays} days, so that guessers elsewhere cannot lock you out.`,
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
              "Counts and mails that could not be delivered are kept until an operator has looked at them. They hold ids, nothing else about you.",
            ],
            ["Logs", "Up to 7 days, by our host's rules."],
            ["Recovery copies", "Our host can restore the database to any moment of the last 30 days, then no more."],
          ]}
        />
        <p>
          What has run out is deleted {RETENTION.deleted}. An account that was never verified stays until somebody
          erases it.
        </p>
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
            <strong>See and take with you.</strong> The dashboard shows your account, keys and usage; the usage report
            can be downloaded as a CSV file.
          </li>
          <li>
            <strong>Erase.</strong> Deleting the account in the dashboard takes your password and nothing more. Account,
            keys, subscription, links and usage are erased at once from the live database. Our host’s recovery copies
            hold them for up to 30 days more; whatever else the list above names for longer is a hash or an id that no
            longer leads to you, and it runs out by itself.
          </li>
          <li>
            <strong>Erase an account you did not make.</strong> If somebody registered your address, ask for a new
            password: the mail reaches you, the account becomes yours, and you can delete it.
          </li>
        </ul>
        <p>
          You may also ask us for a copy of all data about you, to have it corrected or erased, to restrict what we do
          with it, or object to it. Write to <a href={mailto(CONTACT.privacy)}>{CONTACT.privacy}</a> from the address of
          the account; we answer within a month. If you are not content with the answer, you can complain to the data
          protection authority where you live or work.
        </p>
        <p>
          If your own number was verified by one of our customers, we hold nothing that we could show you or erase.
          Please ask whoever sent it.
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
          travels encrypted, is kept as hashes where a hash will do, and stands behind limits on every kind of guessing.
          Changing the password ends all other sessions, and a new live key is reported to you by mail.
        </p>
        <p>
          No system is beyond failure. If one of ours puts your data at risk, we tell you and the authorities as the law
          requires. If you have found a weakness, please write to{" "}
          <a href={mailto(CONTACT.security, "Security report")}>{CONTACT.security}</a> before you tell others.
        </p>
      </>
    ),
  },
  {
    title: "Changes",
    body: (
      <p>
        When the service changes, this policy changes with it, and the date at its head says when it last did. A change
        that lets us do more with your data stands here for at least 14 days before it takes effect.
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
