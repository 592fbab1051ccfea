import { TextLink } from "../../components/ui/link.tsx";
import { Table, Td, Th } from "../../components/ui/table.tsx";
import { ALTERNATIVES, COMPARED_ON, COMPARISON } from "../../content/comparison.ts";
import { SectionHeading } from "./section-heading.tsx";

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
          className="mt-8 border-y border-line md:mt-12"
        >
          <thead>
            <tr>
              <Th className="min-w-36">
                <span className="sr-only">What</span>
              </Th>
              <Th className="min-w-36 text-base! font-medium! text-ink!">
                <span className="font-sans">Checkline</span>
              </Th>
              {ALTERNATIVES.map(({ name, note, to }) => (
                <Th key={name} className="min-w-36 font-sans! text-base!">
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
                <Td className="font-medium text-ink!">{ours}</Td>
                {theirs.map((answer, at) => (
                  <Td key={at}>{answer}</Td>
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
          <TextLink to="/docs/from-vonage-number-insight">Vonage Number Insight</TextLink>.
        </p>
      </div>
    </section>
  );
}
