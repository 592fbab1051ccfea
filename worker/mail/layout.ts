import { html, raw } from "hono/html";
import { DARK, LIGHT, MONO, SANS } from "./palette.ts";
import type { EmailContent, Fact, Link, Paragraph } from "./email.ts";

/** A São Paulo number in its parts, as on the site: each part above its meaning. */
const ANATOMY = [
  ["+55", "country"],
  ["11", "area"],
  ["98765", "carrier"],
  ["4321", "subscriber"],
] as const;

/** What inline styles can't express. Email clients that drop it show the light version at full width. */
const STYLE = raw(`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { text-decoration: underline; text-underline-offset: 3px; }
@media (max-width: 620px) {
  .frame { padding: 0 !important; }
  .sheet { border: 0 !important; }
  .pad { padding-left: 24px !important; padding-right: 24px !important; }
}
@media (prefers-color-scheme: dark) {
  .paper { background-color: ${DARK.paper} !important; }
  .ink { color: ${DARK.ink} !important; }
  .muted { color: ${DARK.muted} !important; }
  .signal { color: ${DARK.signal} !important; }
  .line { border-color: ${DARK.line} !important; }
  .tick { border-color: ${DARK.signal} !important; }
  .button { background-color: ${DARK.button} !important; }
  .on-button { color: ${DARK.onButton} !important; }
}
`);

const TABLE = raw(`role="presentation" cellpadding="0" cellspacing="0" border="0"`);

/** Pads the preview, so inboxes don't continue it with the header. */
const FILLER = raw("&#847;&zwnj;&nbsp;".repeat(60));

function wordmark(origin: string) {
  return html`<table ${TABLE} width="100%">
    <tr>
      <td style="white-space:nowrap;padding:0 16px 0 0;">
        <a
          href="${origin}"
          target="_blank"
          rel="noopener"
          class="ink"
          style="font:600 18px/24px ${SANS};letter-spacing:-0.01em;color:${LIGHT.ink};text-decoration:none;"
          >Checkline</a
        >
      </td>
      <td width="100%" style="vertical-align:middle;">
        <div class="tick" style="height:0;border-top:2px solid ${LIGHT.signal};font-size:0;line-height:0;">&nbsp;</div>
      </td>
      <td aria-hidden="true" class="signal" style="padding:0 0 0 2px;font:700 22px/24px ${SANS};color:${LIGHT.signal};">
        &#10003;&#65038;
      </td>
    </tr>
  </table>`;
}

function anatomy() {
  const cells = ANATOMY.map(([part, label], index) => {
    const gap = index < ANATOMY.length - 1 ? 14 : 0;
    return html`<td style="vertical-align:top;padding:0 ${gap}px 0 0;">
      <div
        class="ink line"
        style="padding:0 1px 5px;border-bottom:1px solid ${LIGHT.line};font:400 20px/26px ${MONO};color:${LIGHT.ink};"
      >
        ${part}
      </div>
      <div
        class="line"
        style="width:0;height:9px;margin:0 0 3px 6px;border-left:1px solid ${LIGHT.line};font-size:0;line-height:0;"
      >
        &nbsp;
      </div>
      <div class="muted" style="font:400 12px/16px ${SANS};color:${LIGHT.muted};">${label}</div>
    </td>`;
  });
  return html`<table ${TABLE} aria-hidden="true">
    <tr>
      ${cells}
    </tr>
  </table>`;
}

function paragraph(words: Paragraph) {
  const text =
    typeof words === "string"
      ? html`${words}`
      : html`<strong style="font-weight:600;">${words.lead}</strong> ${words.text}`;
  return html`<p class="ink" style="margin:0 0 16px;font:400 16px/25px ${SANS};color:${LIGHT.ink};">${text}</p>`;
}

function facts(rows: readonly Fact[]) {
  const cells = rows.map(
    ({ label, value }) =>
      html`<tr>
        <td
          class="muted line"
          style="padding:9px 20px 9px 0;border-bottom:1px solid ${LIGHT.line};font:400 14px/20px ${SANS};color:${LIGHT.muted};vertical-align:top;"
        >
          ${label}
        </td>
        <td
          width="100%"
          class="ink line"
          style="padding:9px 0;border-bottom:1px solid ${LIGHT.line};font:400 14px/20px ${MONO};color:${LIGHT.ink};word-break:break-word;"
        >
          ${value}
        </td>
      </tr>`,
  );
  return html`<table ${TABLE} width="100%" class="line" style="margin:8px 0 20px;border-top:1px solid ${LIGHT.line};">
    ${cells}
  </table>`;
}

function anchor({ label, href }: Link) {
  const style = `font:400 16px/25px ${SANS};color:${LIGHT.signal};text-decoration:underline;`;
  return html`<a href="${href}" target="_blank" rel="noopener" class="signal" style="${style}">${label}</a>`;
}

/** A full address. Obviously a link, so not underlined, which would hide its underscores. */
function address(href: string) {
  const style = `font:400 12px/20px ${MONO};color:${LIGHT.signal};text-decoration:none;word-break:break-all;`;
  return html`<a href="${href}" target="_blank" rel="noopener" class="signal" style="${style}">${href}</a>`;
}

function button({ label, href }: Link, also: Link | undefined) {
  return html`<table ${TABLE} style="margin:12px 0 20px;">
      <tr>
        <td
          class="button"
          bgcolor="${LIGHT.button}"
          style="border-radius:8px;background-color:${LIGHT.button};mso-padding-alt:13px 24px;"
        >
          <a
            href="${href}"
            target="_blank"
            rel="noopener"
            class="on-button"
            style="display:inline-block;padding:13px 24px;font:600 16px/22px ${SANS};color:${LIGHT.onButton};text-decoration:none;"
            >${label}</a
          >
        </td>
      </tr>
    </table>
    ${also ? html`<p style="margin:0 0 20px;">${anchor(also)}</p>` : ""}
    <p class="muted" style="margin:0 0 20px;font:400 13px/20px ${SANS};color:${LIGHT.muted};">
      If the button doesn't work, open this link:<br />${address(href)}
    </p>`;
}

/**
 * The whole email as an HTML document: tables and inline styles, no images, light and dark, at most 600 pixels wide.
 */
export function layOut(content: EmailContent, input: { readonly greeting: string; readonly origin: string }): string {
  const { greeting, origin } = input;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>${content.subject}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body class="paper" style="margin:0;padding:0;background-color:${LIGHT.paper};-webkit-text-size-adjust:100%;">
        <div style="display:none;max-height:0;overflow:hidden;opacity:0;">${content.preheader}${FILLER}</div>
        <table ${TABLE} width="100%" class="paper" bgcolor="${LIGHT.paper}" style="background-color:${LIGHT.paper};">
          <tr>
            <td align="center" class="frame" style="padding:32px 16px;">
              <!--[if mso]><table ${TABLE} width="600"><tr><td><![endif]-->
              <table
                ${TABLE}
                width="100%"
                class="sheet line"
                style="max-width:600px;border:1px solid ${LIGHT.line};border-collapse:separate;text-align:left;"
              >
                <tr>
                  <td class="pad" style="padding:32px 40px 0;">${wordmark(origin)}</td>
                </tr>
                <tr>
                  <td class="pad line" style="padding:26px 40px 24px;border-bottom:1px solid ${LIGHT.line};">
                    ${anatomy()}
                  </td>
                </tr>
                <tr>
                  <td class="pad" style="padding:32px 40px 20px;">
                    <h1
                      class="ink"
                      style="margin:0 0 20px;font:600 26px/32px ${SANS};letter-spacing:-0.02em;color:${LIGHT.ink};"
                    >
                      ${content.heading}
                    </h1>
                    ${paragraph(greeting)} ${content.before.map(paragraph)} ${content.facts ? facts(content.facts) : ""}
                    ${button(content.button, content.also)} ${content.after.map(paragraph)}
                  </td>
                </tr>
                <tr>
                  <td class="pad line" style="padding:20px 40px 28px;border-top:1px solid ${LIGHT.line};">
                    <p class="muted" style="margin:0;font:400 13px/20px ${SANS};color:${LIGHT.muted};">
                      Checkline, the phone number verification API. We never ask for your password or an API key by
                      email.<br />${address(origin)}
                    </p>
                  </td>
                </tr>
              </table>
              <!--[if mso]></td></tr></table><![endif]-->
            </td>
          </tr>
        </table>
      </body>
    </html> `.toString();
}
