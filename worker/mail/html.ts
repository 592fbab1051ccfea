const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup that may stand in a page as it is. Only `html` makes it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Text as it is written between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

type Value = Html | string | number | readonly Html[];

function insert(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (typeof value === "object") return value.map(insert).join("");
  return escapeHtml(String(value));
}

/** A template whose values are escaped, unless they are markup from the same function. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  let markup = strings[0] ?? "";
  for (const [index, value] of values.entries()) markup += insert(value) + strings[index + 1];
  return new Html(markup);
}
