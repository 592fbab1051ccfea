import { useOrigin } from "../lib/origin.ts";

export function meta() {
  return [
    { title: "Checkline: phone number verification API" },
    {
      name: "description",
      content:
        "Send a phone number, learn whether it is valid, its country, original carrier, line type and time zones.",
    },
  ];
}

function request(origin: string): string {
  return `curl -X POST ${origin}/api/v1/verify \\
  -H "Authorization: Bearer ch_test_…" \\
  -H "Content-Type: application/json" \\
  -d '{"number": "+5511987654321"}'`;
}

export default function Home() {
  return (
    <main className="page">
      <h1>Checkline</h1>
      <p>
        Send a phone number, learn whether it is valid, its country, the carrier its range was first allocated to, its
        line type and its time zones.
      </p>
      <pre tabIndex={0}>
        <code>{request(useOrigin())}</code>
      </pre>
      <ul>
        <li>
          <a href="/api/v1/openapi.json">OpenAPI document</a>
        </li>
        <li>
          <a href="/api/v1/health">Health</a>
        </li>
      </ul>
    </main>
  );
}
