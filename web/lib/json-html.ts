const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b|[{}[\],:]/g;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function colored(text: string, role: "string" | "constant" | "punctuation"): string {
  return `<span style="color:var(--shiki-token-${role})">${escaped(text)}</span>`;
}

/**
 * JSON as HTML, in the colors of the code samples: names in ink, values by kind. For responses, which arrive too late
 * for Shiki. Non-JSON text is just escaped.
 */
export function jsonHtml(json: string): string {
  let html = "";
  let end = 0;
  for (const { 0: token, 1: string, 2: colon, index } of json.matchAll(TOKEN)) {
    html += escaped(json.slice(end, index));
    end = index + token.length;
    if (string === undefined) html += colored(token, /[{}[\],:]/.test(token) ? "punctuation" : "constant");
    else if (colon === undefined) html += colored(string, "string");
    else html += escaped(string) + colored(colon, "punctuation");
  }
  return html + escaped(json.slice(end));
}

/** The same of an object in lines, each of its fields in a span that names it. */
export function fieldsHtml(json: string): string {
  return jsonHtml(json).replaceAll(/^ {2}"(\w+)".*(?:\n {2}(?!").*)*/gm, '<span data-field="$1">$&</span>');
}
