import { TextLink } from "../../components/ui/link.tsx";
import { USES } from "../../content/uses.ts";
import type { Use } from "../../content/uses.ts";

/** JSON on one line, as in the docs: a space after each colon and comma. */
function inline(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, " ")
    .replaceAll(/\[ | \]/g, (bracket) => bracket.trim());
}

/** A job's fields, without the braces around them. */
function fields(value: object): string[] {
  return Object.entries(value).map(([name, field]) => `"${name}": ${inline(field)}`);
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
    <li className="row-span-4 grid min-w-0 grid-rows-subgrid gap-y-0">
      <h3 className="text-xl">{title}</h3>
      <p className="mt-2 text-soft">{text}</p>
      <dl className="mt-5 border-l-2 border-line pl-4 font-mono text-sm leading-relaxed wrap-anywhere">
        <dt className="sr-only">Request</dt>
        {fields(request).map((field) => (
          <dd key={field} className="text-muted">
            {field}
          </dd>
        ))}
        <dt className="sr-only">Response</dt>
        {fields(answer).map((field) => (
          <dd key={field} className="text-ink">
            {field}
          </dd>
        ))}
      </dl>
      <p className="mt-4 text-base">
        <TextLink to={link.to}>{link.label}</TextLink>
      </p>
    </li>
  );
}
