import type { Progress } from "./deployment.ts";
import type { Target } from "./target.ts";
import { environmentFlag } from "./wrangler.ts";

/** What is left to do after a deployment. */
export function nextSteps(
  target: Target,
  { origin, problems }: Progress,
  variables: Readonly<Record<string, string | undefined>>,
): string {
  const { environment, settings } = target;
  const inEnvironment = environmentFlag(environment);
  const vars = environment === null ? "[vars]" : `the vars of [env.${environment}]`;
  const sender = settings["MAIL_FROM"];
  const todo = [
    ...problems,
    ...(settings["PUBLIC_ORIGIN"] === undefined
      ? [
          `Set PUBLIC_ORIGIN in ${vars} in wrangler.toml to where the service is, such as ${JSON.stringify(origin)}, and deploy again.`,
        ]
      : []),
    ...(settings["PUBLIC_ORIGIN"] !== undefined && settings["PUBLIC_ORIGIN"] !== origin
      ? [`What was tested is at ${origin}. See that ${settings["PUBLIC_ORIGIN"]}, PUBLIC_ORIGIN, leads to this worker.`]
      : []),
    ...(settings["MAIL_DRIVER"] === "resend" && problems.some((problem) => problem.startsWith("RESEND_API_KEY"))
      ? [`Set the key of Resend: npx wrangler secret put RESEND_API_KEY ${inEnvironment}`]
      : []),
    ...(sender === undefined ? [] : [`See that your mail provider may send for the domain of MAIL_FROM, ${sender}.`]),
    ...(variables["OPERATOR"] || environment === "staging"
      ? []
      : [
          "Set the variable OPERATOR to your name and address when you deploy: the privacy policy has to name you in many countries.",
        ]),
  ];
  const list = todo.map((text) => `  - ${text}\n`).join("");
  return `
Deployed: ${origin}
${list === "" ? "" : `\nLeft to do:\n${list}`}
Sign up at ${origin}/register. Logs: npx wrangler tail ${inEnvironment}
Operating it: docs/runbook.md
`;
}
