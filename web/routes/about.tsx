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
          A phone number looks like a row of digits, but it is closer to an address. Somewhere an authority has written
          down how long it may be, which digits lead to which place or kind of line, and which ranges are still empty.
          That document is called a numbering plan, and every country has one or shares one.
        </p>
        <p>
          Checkline is an API that keeps them all in memory. You send a number; it works out which plan the number
          belongs to, reads it digit by digit, and tells you what the plan says: whether the number can exist, where, as
          what, and how people there would write it.
        </p>
        <figure className="my-8 border-y border-line py-7 text-base text-ink">
          <Anatomy parts={anatomyOf(SPECIMENS.US.result)} />
          <figcaption className="label mt-7">{SPECIMENS.US.owner}. What the plan doesn’t reveal is gray.</figcaption>
        </figure>
      </>
    ),
  },
  {
    title: "What it believes",
    body: (
      <>
        <p>
          A response should make clear what’s known, and just as clearly what isn’t. Most of the trouble with data about
          phone numbers comes from the second half: a field that has to be filled gets filled, and a guess looks exactly
          like a fact once it is JSON. So Checkline says “unknown” out loud, in named fields:
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
              "The carrier is the one the range was first allocated to. People keep their numbers when they switch carriers; the plan doesn’t know.",
              <Field key="term" name="carrier_source" value='"original_allocation"' />,
            ],
            [
              "reachability",
              "The same in every response. No phone rings, no network is queried. It may be our favorite field.",
              <Field key="term" name="reachability" value='"not_checked"' />,
            ],
          ]}
        />
        <p>
          It also believes that “no” is a result. An invalid number comes back with status 200 and a reason you can act
          on: too short, no country, an unassigned range. It isn’t an error, and we don’t charge for it.
        </p>
      </>
    ),
  },
  {
    title: "How it is built",
    body: (
      <>
        <p>
          As one Cloudflare Worker. The numbering plans, and tables that map prefixes to carriers, areas, time zones,
          and those who were given them, are compiled into it. A verification is a few comparisons and binary searches
          in the isolate that took the request. The number is checked in memory and shared with no one. Only a key this
          isolate hasn’t seen recently is looked up elsewhere.
        </p>
        <p>
          What we know comes from the metadata of Google&rsquo;s libphonenumber, compiled over many years from
          regulators’ published plans and licensed under the Apache License 2.0, and from six countries’ public
          registers of who was given which numbers. The <a href="/NOTICE.txt">NOTICE file</a> says what was taken and
          what was changed. The engine on top of it is our own, and is tested against Google&rsquo;s library, number by
          number, for every region and type. Where the two differ on purpose, we document why.
        </p>
        <p>
          Numbers pass through and leave only a count. What is kept, and for how long, fits on{" "}
          <Link to="/policy">one page</Link>.
        </p>
      </>
    ),
  },
  {
    title: "What it is not",
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
          <strong>A score.</strong> It tells you that a number is reserved for films or ends in four zeros. Whether that
          makes a customer suspicious is for you to decide, based on what you know about them.
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
        <p>Calls we’ve made for now, without being sure.</p>
        <h3>Should we name a carrier at all?</h3>
        <p>
          Where numbers can be ported, the name grows less certain every year. We give it with a label that says what it
          is. Perhaps a label is not enough, and a field that is usually right is worse than none.
        </p>
        <h3>When does a number look made up?</h3>
        <p>
          Seven identical digits in a row are often a placeholder, and sometimes the switchboard of a hospital. We flag
          such numbers and leave the estimate alone. Somewhere between a published fact and a hunch there is a line; we
          drew it at what can be cited.
        </p>
        <h3>How old can a plan be?</h3>
        <p>
          A regulator opens a range, and it takes a while for the data to catch up. Until then a good number comes back
          as <code>UNASSIGNED_RANGE</code>. The length was still right, and <code>possible</code> says so, but we would
          rather be able to say: “This plan may have changed since we last read it.”
        </p>
        <p>
          If you have an opinion on one of these, or a number we got wrong, write to{" "}
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
      "What Checkline is and believes, how it works from memory without a network query, what it isn’t, and what’s still open.",
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
