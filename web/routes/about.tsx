import { Link } from "react-router";
import { anatomyOf } from "../components/anatomy/anatomy-of.ts";
import { Anatomy } from "../components/anatomy/anatomy.tsx";
import { FactList } from "../components/site/fact-list.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { TextPage } from "../components/site/text-page.tsx";
import type { TextSection } from "../components/site/text-page.tsx";
import { CONTACT, mailto } from "../content/contact.ts";
import { SPECIMENS } from "../content/specimens.ts";
import { pageMeta } from "../lib/page-meta.ts";

/** A value from a response. Not inline code, so without `.prose`'s box around it. */
function Field({ name, value }: { name: string; value: string }) {
  return (
    <span className="font-mono text-sm font-normal">
      {name}
      <span className="block text-muted">{value}</span>
    </span>
  );
}

const ABOUT_SECTIONS: readonly TextSection[] = [
  {
    title: "What it is",
    body: (
      <>
        <p>
          A phone number looks like a row of digits, but it’s closer to an address. Somewhere, a regulator has written
          down how long it can be, which digits mean which place or kind of line, and which ranges are unassigned. That
          document is called a numbering plan. Every country has one or shares one.
        </p>
        <p>
          Checkline is an API that keeps all of them in memory. Send it a number. It finds the right plan, reads the
          number digit by digit, and tells you what the plan says: whether the number can exist, where it’s from, what
          kind of line it is, and how people there write it.
        </p>
        <figure className="my-8 border-y border-line py-7 text-base text-ink">
          <Anatomy parts={anatomyOf(SPECIMENS.US)} />
          <figcaption className="label mt-7">
            The US Capitol’s switchboard. What the plan doesn’t reveal is gray.
          </figcaption>
        </figure>
      </>
    ),
  },
  {
    title: "What we believe",
    body: (
      <>
        <p>
          A response should be clear about what’s known, and just as clear about what isn’t. Most bad phone data comes
          from the second half: a field that has to be filled gets filled, and in JSON, a guess looks exactly like a
          fact. So Checkline says “unknown” out loud, in named fields:
        </p>
        <FactList
          facts={[
            [
              "line_type",
              "In the US and Canada, mobile numbers and landlines share the same ranges. If a register says who was given one, we may know its type, and line_type_source says how. Otherwise we don’t.",
              <Field key="term" name="line_type" value="null" />,
            ],
            [
              "carrier_source",
              "The carrier is the one whose range it is. People keep their numbers when they switch carriers; the plan doesn’t show it.",
              <Field key="term" name="carrier_source" value='"original_allocation"' />,
            ],
            [
              "reachability",
              "The same in every response. We don’t call a phone or query a network. It may be our favorite field.",
              <Field key="term" name="reachability" value='"not_checked"' />,
            ],
          ]}
        />
        <p>
          We also believe that “no” is a result. An invalid number comes back with status 200 and a reason you can act
          on: too short, no country, an unassigned range. It isn’t an error, and we don’t charge for it.
        </p>
      </>
    ),
  },
  {
    title: "How it’s built",
    body: (
      <>
        <p>
          Checkline is a single Cloudflare Worker. The numbering plans are compiled into it, along with tables that map
          prefixes to carriers, areas, time zones, and the companies that hold them. A verification takes a few
          comparisons and binary searches on the server that received the request. The number is verified in memory and
          shared with no one. We only look up your key elsewhere if that server hasn’t seen it recently.
        </p>
        <p>
          Our data starts with Google&rsquo;s libphonenumber, compiled over many years from regulators’ published plans
          and licensed under the Apache License 2.0, and with public registers of who holds which numbers. Our{" "}
          <a href="/NOTICE.txt">NOTICE file</a> lists what we took and what we changed. The engine on top is our own. We
          test it against Google&rsquo;s library, number by number, for every region and type. Where the two differ on
          purpose, we document why.
        </p>
        <p>
          Numbers pass through and leave only a count. What we keep, and for how long, fits on{" "}
          <Link to="/policy">one page</Link>.
        </p>
      </>
    ),
  },
  {
    title: "What it isn’t",
    body: (
      <ul>
        <li>
          <strong>An HLR lookup.</strong> It doesn’t ask a mobile network whether a subscriber exists, has their phone
          on, or is abroad. That’s a different question, with a different price, and it reveals that you asked.
        </li>
        <li>
          <strong>A data broker.</strong> It doesn’t know who owns a number, and it doesn’t learn from the numbers you
          send.
        </li>
        <li>
          <strong>A score.</strong> It tells you that a number is reserved for movies or ends in four zeros. You decide
          what that says about a customer.
        </li>
        <li>
          <strong>Proof of possession.</strong> Anyone can type a valid number. If it matters whose it is, send a code.
        </li>
      </ul>
    ),
  },
  {
    title: "Open questions",
    body: (
      <>
        <p>Calls we’ve made for now, and aren’t sure about.</p>
        <h3>Should we name a carrier at all?</h3>
        <p>
          Where people can take their numbers with them, the name gets less certain every year. We return it with a
          label that says what it is. Maybe a label isn’t enough, and a field that’s usually right is worse than none.
        </p>
        <h3>When does a number look made up?</h3>
        <p>
          Seven identical digits in a row are often a placeholder, and sometimes a hospital’s main line. We flag those
          numbers and leave the estimate alone. There’s a line between a published fact and a hunch. We drew it at what
          we can cite.
        </p>
        <h3>How old can a plan be?</h3>
        <p>
          When a regulator opens a range, the data takes a while to catch up. Until then, a good number comes back as{" "}
          <code>UNASSIGNED_RANGE</code>. Its length is right, and <code>possible</code> says so, but we’d rather say:
          “This plan may have changed since we last read it.”
        </p>
        <p>
          Have an opinion on one of these, or a number we got wrong? Write to{" "}
          <a href={mailto(CONTACT.support, "About Checkline")}>{CONTACT.support}</a>.
        </p>
      </>
    ),
  },
];

export function meta() {
  return pageMeta({
    title: "About · Checkline",
    description:
      "What Checkline is, what we believe, how it works from memory without a network query, what it isn’t, and what’s still open.",
    path: "/about",
  });
}

export default function About() {
  return (
    <SiteFrame>
      <TextPage
        title="About Checkline"
        lead="Checkline reads a phone number the way a careful clerk reads a form: line by line, rulebook in hand, with a note in the margin wherever the rules run out."
        sections={ABOUT_SECTIONS}
      />
    </SiteFrame>
  );
}
