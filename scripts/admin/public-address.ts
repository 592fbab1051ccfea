import { request as requestHttp } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { request as requestHttps } from "node:https";
import { API_BASE_PATH } from "../../contract/origin.ts";
import { formatColumns } from "./format.ts";

const HEALTH = `${API_BASE_PATH}/health`;
const TIMEOUT_MS = 10_000;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Call {
  readonly call: string;
  /** Null without a response. */
  readonly status: number | null;
  /** What keeps clients from the service, in words; null if nothing. */
  readonly obstacle: string | null;
}

/** A GET request with exactly these headers: `fetch` always sends a User-Agent. Rejects when nothing responds. */
function get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const start = address.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = start(address, { headers, timeout: TIMEOUT_MS }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      response.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(new Error("timeout")));
    sent.on("error", reject).end();
  });
}

/** What responded instead of the worker, which sends an X-Request-Id. */
function whatResponded({ status, headers, body }: Answer): string {
  if (/error(?: code:?)? 1010\b/i.test(body)) return "Browser Integrity Check (error 1010)";
  const code = /error(?: code:?)? (1\d{3})\b/i.exec(body)?.[1];
  if (code !== undefined) return `a rule of the zone (error ${code})`;
  if (headers["cf-mitigated"] === "challenge") return "a challenge, such as Bot Fight Mode's";
  if (headers.location !== undefined) return `a redirect to ${headers.location}`;
  return `something else than the worker, with status ${status}`;
}

function apiObstacle(answer: Answer, expected: number): string | null {
  if (answer.headers["x-request-id"] === undefined) return whatResponded(answer);
  return answer.status === expected ? null : `the worker returns ${answer.status} instead of ${expected}`;
}

/** What Cloudflare has changed in a page that has email addresses. */
function pageObstacle({ status, body }: Answer): string | null {
  if (status !== 200) return `the page returns ${status}`;
  const changes = [
    body.includes("/cdn-cgi/l/email-protection") || body.includes("email-decode") ? "Email Address Obfuscation" : "",
    body.includes("static.cloudflareinsights.com") ? "Web Analytics" : "",
    body.includes("/cdn-cgi/challenge-platform/") ? "JavaScript Detections" : "",
  ].filter(Boolean);
  return changes.length === 0 ? null : `changed by ${changes.join(" and ")}`;
}

/**
 * Makes the calls that a zone's default settings stop or change.
 * @param origin such as "https://example.com"
 */
async function callPublicly(origin: string): Promise<readonly Call[]> {
  async function call(name: string, answer: Promise<Answer>, obstacleIn: (answer: Answer) => string | null) {
    return answer.then(
      (received): Call => ({ call: name, status: received.status, obstacle: obstacleIn(received) }),
      (error: NodeJS.ErrnoException): Call => {
        return { call: name, status: null, obstacle: `no response (${error.code ?? error.message})` };
      },
    );
  }
  const plain = origin.replace(/^https:/, "http:");
  return Promise.all([
    call("API, user agent Python-urllib/3.12", get(origin + HEALTH, { "User-Agent": "Python-urllib/3.12" }), (answer) =>
      apiObstacle(answer, 200),
    ),
    call("API, no user agent", get(origin + HEALTH), (answer) => apiObstacle(answer, 200)),
    call("page with email addresses", get(`${origin}/policy`), pageObstacle),
    ...(plain === origin
      ? []
      : [call("API over plain http", get(plain + HEALTH), (answer) => apiObstacle(answer, 403))]),
  ]);
}

/** `admin health --public URL`: what a caller meets at a public address, as text and data. */
export async function checkPublicAddress(origin: string) {
  const calls = await callPublicly(origin);
  const rows = calls.map(({ call, status, obstacle }) => [call, String(status ?? ""), obstacle ?? "ok"]);
  const isFine = calls.every(({ obstacle }) => obstacle === null);
  const advice = isFine ? "" : 'docs/runbook.md says what to change, under "Zone settings".\n';
  return { text: `${origin}\n${formatColumns(rows, "  ")}${advice}`, data: { origin, calls }, isFine };
}
