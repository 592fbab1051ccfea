import { html, raw } from "hono/html";
import type { KeptMail } from "./mailbox.ts";
import { DARK, LIGHT, MONO, SANS } from "./palette.ts";
import type { Palette } from "./palette.ts";

/**
 * What the page may load: its own styles, and the emails in frames, which inherit this policy. No scripts, and nothing
 * leaves the machine.
 */
export const MAILBOX_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function colors({ paper, ink, muted, line, signal }: Palette): string {
  return `--paper: ${paper}; --ink: ${ink}; --muted: ${muted}; --line: ${line}; --signal: ${signal};`;
}

const STYLE = raw(`
:root { color-scheme: light dark; ${colors(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${colors(DARK)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 16px/1.6 ${SANS}; }
main { max-width: 760px; margin: 0 auto; padding: 40px 24px 80px; }
a { color: var(--signal); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--signal); outline-offset: 3px; border-radius: 2px; }
.wordmark { display: flex; align-items: center; gap: 14px; font-weight: 600; font-size: 18px; letter-spacing: -0.01em; }
.wordmark a { color: var(--ink); text-decoration: none; }
.wordmark i { flex: 1; height: 2px; background: var(--signal); }
.wordmark svg { width: 22px; height: 22px; margin-left: -14px; color: var(--signal); }
h1 { margin: 40px 0 8px; font-size: 32px; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; }
.lead { margin: 0 0 32px; max-width: 34em; color: var(--muted); }
.emails { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.emails > li { border-bottom: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 12px 1fr auto; gap: 0 12px; padding: 16px 0; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; width: 7px; height: 7px; margin-top: 9px; border: solid var(--muted); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
[open] > summary::before { transform: rotate(45deg); }
.subject { font-weight: 600; overflow-wrap: anywhere; }
.to, time { color: var(--muted); font: 400 13px/25px ${MONO}; overflow-wrap: anywhere; }
.to { grid-column: 2; }
time { grid-row: 1; grid-column: 3; }
.mail { padding: 4px 0 28px; }
iframe { display: block; width: 100%; height: 860px; border: 1px solid var(--line); resize: vertical; background: var(--paper); }
h2 { margin: 28px 0 8px; font-size: 14px; font-weight: 600; color: var(--muted); }
pre { margin: 0; padding: 16px 20px; border: 1px solid var(--line); font: 400 13px/1.65 ${MONO}; white-space: pre-wrap; overflow-wrap: anywhere; }
.empty { margin-top: 24px; padding: 32px 0; border: solid var(--line); border-width: 1px 0; }
.empty p { margin: 0 0 12px; max-width: 34em; }
.empty p:last-child { margin: 0; color: var(--muted); }
@media (max-width: 560px) { time { grid-row: 3; grid-column: 2; } main { padding-top: 28px; } h1 { font-size: 28px; } }
`);

const TICK = raw(
  `<svg viewBox="0 0 22 22" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="square" aria-hidden="true"><path d="M0 11h3l4.5 6L17 4"/></svg>`,
);

/** Plain text with links for its addresses. */
function linked(text: string) {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>` : html`${part}`,
    );
}

function mailItem(mail: KeptMail, index: number) {
  const time = mail.sent_at.replace("T", " ").replace(/\.\d+Z$/, " UTC");
  return html`<li><details${raw(index === 0 ? " open" : "")}>
<summary><span class="subject">${mail.subject}</span><span class="to">${mail.to}</span><time datetime="${mail.sent_at}">${time}</time></summary>
<div class="mail">
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="${mail.subject}" loading="lazy" srcdoc="${mail.html}"></iframe>
<h2>Plain text</h2>
<pre>${linked(mail.text)}</pre>
</div>
</details></li>`;
}

const EMPTY = html`<div class="empty">
  <p>
    No emails yet. Register an account, request a password reset, or create a live key, and the email shows up here.
  </p>
  <p>Emails go through a queue, so wait a second or two, then <a href="">reload this page</a>.</p>
</div>`;

/** The local mailbox as a page without scripts. */
export function mailboxPage(emails: readonly KeptMail[]): string {
  const lead = html`<p class="lead">
      Emails stay on this machine instead of being sent. A new one takes a second or two:
      <a href="">reload this page</a> to see it.
    </p>
    <ol class="emails">
      ${emails.map(mailItem)}
    </ol>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Mailbox · Checkline</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>
          <div class="wordmark"><a href="/">Checkline</a><i></i>${TICK}</div>
          <h1>Mailbox</h1>
          ${emails.length === 0 ? EMPTY : lead}
        </main>
      </body>
    </html> `.toString();
}
