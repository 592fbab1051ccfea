import { TextLink } from "../../components/ui/link.tsx";
import { USES } from "../../content/uses.ts";
import type { Use } from "../../content/uses.ts";
import { onOneLine } from "../../plugins/shown-json.ts";

/** Fields of a request or response, without the braces around them. A line breaks before a value, never within. */
function Fields({ title, value, className }: { title: string; value: object; className: string }) {
  return (
    <div className={className}>
      <dt className="sr-only">{title}</dt>
      {Object.entries(value).map(([name, field]) => (
        <dd key={name}>
          "{name}": <span className="inline-block">{onOneLine(field)}</span>
        </dd>
      ))}
    </div>
  );
}

/** What people use it for: four jobs, each with a request and the fields of the response that do it. */
export function UsesSection() {
  return (
    <section aria-labelledby="uses-title" className="page-width pt-12 md:pt-14">
      <h2 id="uses-title" className="text-2xl">
        What it’s for
      </h2>
      <ul className="mt-6 grid gap-x-8 gap-y-10 sm:grid-cols-2 xl:grid-cols-4">
        {USES.map((use) => (
          <Job key={use.title} {...use} />
        ))}
      </ul>
      <p className="mt-10 border-t border-line pt-5 text-soft">
        One number, 100 in a batch, or 100,000 in a stream: from <TextLink to="/docs/sdks">seven languages</TextLink>, a{" "}
        <TextLink to="/docs/bulk-check">spreadsheet</TextLink>, or an <TextLink to="/docs/mcp">AI assistant</TextLink>.
      </p>
    </section>
  );
}

function Job({ title, text, request, answer, link }: Use) {
  return (
    <li className="row-span-5 grid min-w-0 grid-rows-subgrid gap-y-0">
      <h3 className="text-xl">{title}</h3>
      <p className="mt-2 text-soft">{text}</p>
      <dl className="row-span-2 mt-5 grid grid-rows-subgrid border-l-2 border-line pl-3.5 font-mono text-sm leading-relaxed wrap-anywhere">
        <Fields title="Request" value={request} className="text-muted" />
        <Fields title="Response" value={answer} className="pt-1.5 text-ink" />
      </dl>
      <p className="mt-4 text-base">
        <TextLink to={link.to}>{link.label}</TextLink>
      </p>
    </li>
  );
}
