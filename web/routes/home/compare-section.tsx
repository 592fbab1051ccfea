import { clsx } from "clsx";
import { TextLink } from "../../components/ui/link.tsx";
import { Table, Td, Th } from "../../components/ui/table.tsx";
import { ALTERNATIVES, COMPARED_ON, COMPARISON } from "../../content/comparison.ts";
import { SectionHeading } from "./section-heading.tsx";

/** On a phone, a question is above its answers, and each answer is below its name, in place of the columns' heads. */
const STACKED = {
  table: "max-md:[&_table]:block max-md:[&_tbody]:block",
  row: "max-md:grid max-md:grid-cols-2 max-md:gap-x-5 max-md:gap-y-2.5 max-md:py-4",
  question: "max-md:col-span-2 max-md:p-0! max-md:font-medium! max-md:text-ink!",
  answer:
    "max-md:p-0! max-md:leading-snug max-md:before:mb-0.5 max-md:before:block max-md:before:text-sm max-md:before:font-normal max-md:before:text-muted max-md:before:content-[attr(data-name)]",
};

/** Why not a library, or another service: also what they do better. */
export function CompareSection() {
  return (
    <section id="compare" aria-labelledby="compare-title" className="border-t border-line">
      <div className="page-width py-14 md:py-28">
        <SectionHeading id="compare-title" title="Why not a library, or another service?">
          Sometimes you should. One program in one language: take the library. SIM swap or line status: take a service
          that asks the network.
        </SectionHeading>
        <Table
          caption="Checkline and the alternatives"
          hideCaption
          flush
          className={clsx("mt-8 border-y border-line md:mt-12", STACKED.table)}
        >
          <thead className="max-md:hidden">
            <tr>
              <Th className="w-[20%] min-w-31">
                <span className="sr-only">What</span>
              </Th>
              <Th className="w-[22%] min-w-31 bg-surface text-base! font-medium! text-ink!">
                <span className="font-sans">Checkline</span>
              </Th>
              {ALTERNATIVES.map(({ name, note, to }) => (
                <Th key={name} className="w-[19%] min-w-31 font-sans! text-base!">
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
              <tr key={question} className={STACKED.row}>
                <Th scope="row" className={clsx("font-normal! text-soft!", STACKED.question)}>
                  {question}
                </Th>
                <Td data-name="Checkline" className={clsx("font-medium text-ink! md:bg-surface", STACKED.answer)}>
                  {ours}
                </Td>
                {theirs.map((answer, at) => (
                  <Td key={at} data-name={ALTERNATIVES[at]!.name} className={STACKED.answer}>
                    {answer}
                  </Td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
        <p className="mt-5 max-w-[70ch] text-soft">
          From their documentation of {COMPARED_ON}. Each guide has the sources, the code before and after, and when to
          stay: <TextLink to="/docs/from-libphonenumber">libphonenumber</TextLink>,{" "}
          <TextLink to="/docs/from-twilio-lookup">Twilio Lookup</TextLink>,{" "}
          <TextLink to="/docs/from-numverify">numverify</TextLink>, and{" "}
          <TextLink to="/docs/from-vonage-number-insight">Vonage Number Insight</TextLink>. The agreement with tests is{" "}
          <TextLink to="/docs/accuracy">measured</TextLink>.
        </p>
      </div>
    </section>
  );
}
