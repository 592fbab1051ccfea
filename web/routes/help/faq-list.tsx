import { Link } from "react-router";
import { Cross } from "../../components/site/cross.tsx";
import { plainText } from "../../content/faq.ts";
import type { FaqItem, Inline } from "../../content/faq.ts";

function Words({ part }: { part: Inline }) {
  if (typeof part === "string") return part;
  if ("code" in part) return <code>{part.code}</code>;
  return <Link to={part.to}>{part.text}</Link>;
}

function Paragraph({ parts }: { parts: readonly Inline[] }) {
  return (
    <p>
      {parts.map((part) => (
        <Words key={plainText([part])} part={part} />
      ))}
    </p>
  );
}

/** Questions that open on their answers, with and without JavaScript. */
export function FaqList({ items }: { items: readonly FaqItem[] }) {
  return (
    <section
      aria-labelledby="questions"
      className="mt-20 md:mt-28 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20"
    >
      <h2 id="questions" className="text-2xl">
        Questions developers ask
      </h2>
      <div className="mt-8 border-b border-line lg:mt-0">
        {items.map(({ question, answer }) => (
          <details key={question} className="group border-t border-line">
            <summary className="flex min-h-14 list-none items-center justify-between gap-6 py-4 text-lg [&::-webkit-details-marker]:hidden">
              <h3>{question}</h3>
              <Cross />
            </summary>
            <div className="prose pt-1 pr-10 pb-8">
              {answer.map((parts) => (
                <Paragraph key={plainText(parts)} parts={parts} />
              ))}
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}
