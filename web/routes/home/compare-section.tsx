import { clsx } from "clsx";
import { useState } from "react";
import { TextLink } from "../../components/ui/link.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { Table, Td, Th } from "../../components/ui/table.tsx";
import { ALTERNATIVES, COMPARED_ON, COMPARISON } from "../../content/comparison.ts";
import type { Cell } from "../../content/comparison.ts";
import { Section } from "./section.tsx";

const MARKS = {
  yes: ["Yes", "M2 8.5 6 12.5 14 3.5", "text-ink"],
  partly: ["Partly", "M2 9.5C4 6 6 6 8 8s4 2 6-1.5", "text-ink"],
  no: ["No", "M3.5 3.5l9 9M12.5 3.5l-9 9", "text-muted"],
} as const;

function Answer({ cell: [mark, text] }: { cell: Cell }) {
  if (mark === null) return text;
  const [name, path, color] = MARKS[mark];
  return (
    <span className="grid grid-cols-[1rem_1fr] items-baseline gap-2">
      <svg viewBox="0 0 16 16" fill="none" aria-hidden="true" className={clsx("size-4 translate-y-0.5", color)}>
        <path d={path} stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <span>
        {text !== name && <span className="sr-only">{name}: </span>}
        {text}
      </span>
    </span>
  );
}

type Alternative = (typeof ALTERNATIVES)[number]["name"];

/** Why not a library, or another service: also what they do better. On a phone, one of them at a time. */
export function CompareSection() {
  const [chosen, setChosen] = useState<Alternative>("libphonenumber");
  const hidden = (name: Alternative) => name !== chosen && "max-md:hidden";
  return (
    <Section
      id="compare"
      title="Why not a library, or another service?"
      lead="Sometimes you should use one. For one program in one language, use the library. For SIM swap or line status, use a service that queries the network."
    >
      <Segmented
        label="Compare with"
        size="sm"
        className="mb-4 w-full md:hidden"
        value={chosen}
        onChange={setChosen}
        options={ALTERNATIVES.map(({ name }) => ({ value: name, label: name }))}
      />
      <Table
        caption="Checkline and the alternatives"
        hideCaption
        flush
        className="border-y border-line max-md:[&_td,&_th]:py-2 max-md:[&_td,&_th]:text-sm!"
      >
        <thead>
          <tr>
            <Th className="w-[30%] md:w-[20%]">
              <span className="sr-only">What</span>
            </Th>
            <Th className="bg-surface text-base! text-ink! max-md:px-2 md:w-[22%]">Checkline</Th>
            {ALTERNATIVES.map(({ name, note, to }) => (
              <Th key={name} className={clsx("text-base! max-md:px-2 md:w-[19%]", hidden(name))}>
                <TextLink to={to} className="text-ink">
                  {name}
                </TextLink>
                {note && <span className="block text-sm font-normal text-muted">{note}</span>}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {COMPARISON.map(([question, ours, ...theirs]) => (
            <tr key={question}>
              <Th scope="row" className="font-normal! text-soft!">
                {question}
              </Th>
              <Td className="bg-surface text-ink! max-md:px-2">
                <Answer cell={ours} />
              </Td>
              {theirs.map((answer, at) => (
                <Td key={at} className={clsx("max-md:px-2", hidden(ALTERNATIVES[at]!.name))}>
                  <Answer cell={answer} />
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="mt-5 max-w-[70ch] text-soft">
        Based on their docs as of {COMPARED_ON}. Each guide has sources, before-and-after code, and reasons not to
        switch: <TextLink to="/docs/from-libphonenumber">libphonenumber</TextLink>,{" "}
        <TextLink to="/docs/from-twilio-lookup">Twilio Lookup</TextLink>,{" "}
        <TextLink to="/docs/from-numverify">numverify</TextLink>, and{" "}
        <TextLink to="/docs/from-vonage-number-insight">Vonage Number Insight</TextLink>. The agreement with tests is{" "}
        <TextLink to="/docs/accuracy">measured</TextLink>.
      </p>
    </Section>
  );
}
