import { defineConfig, type OxlintOverride } from "oxlint";

/** The floors of worker/, from the bottom: none imports from its own floor or above (AGENTS.md, Boundaries). */
const FLOORS = [
  ["phone/", "platform/"],
  ["operations/", "limits/"],
  ["mail/", "key-cache/"],
  ["ledger/", "status/"],
  ["env.ts"],
  ["io.ts"],
  ["accounts/"],
  ["keys/"],
  ["subscriptions/"],
  ["administration/", "verification/"],
  ["http/"],
  ["app.ts", "emails.ts"],
  ["own-verifications.ts"],
  ["schedule.ts", "queue.ts"],
  ["index.ts"],
];

/** Forbids imports in all files but tests. */
function forbid(files: string, imports: { readonly regex: string } | { readonly group: string[] }): OxlintOverride {
  return {
    files: [files],
    excludeFiles: ["**/*.test.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: [imports] }] },
  };
}

const floors = FLOORS.flatMap((floor, at) =>
  floor.map((place) => {
    const notBelow = FLOORS.slice(at)
      .flat()
      .filter((other) => other !== place);
    const names = [...notBelow, "../web/"].join("|").replaceAll(".", String.raw`\.`);
    return place.endsWith("/")
      ? forbid(`worker/${place}**`, { regex: String.raw`^(\.\./)+(${names})` })
      : forbid(`worker/${place}`, { regex: String.raw`^(\./)?(${names})` });
  }),
);

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "promise", "react", "jsx-a11y"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  rules: {
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "no-console": "off",
    "no-await-in-loop": "off",
    "react/react-in-jsx-scope": "off",
    "import/no-unassigned-import": "off",
    "oxc/no-async-endpoint-handlers": "off",
    "unicorn/prefer-set-has": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/no-array-callback-reference": "off",
    "jsx-a11y/no-noninteractive-tabindex": ["error", { tags: ["pre"] }],
    "import/no-named-as-default-member": "off",
    "oxc/no-map-spread": "off",
    "react/no-array-index-key": "off",
    "import/no-cycle": ["error", { ignoreTypes: false }],
  },
  overrides: [
    ...floors,
    forbid("worker/phone/**", { group: ["*", "!./**", "!../../contract/**"] }),
    {
      // `respond` in response.ts makes every response; it doesn't see headers that Hono's context gets.
      files: ["worker/http/**"],
      rules: {
        "no-restricted-properties": [
          "error",
          ...["header", "json", "body", "html", "text"].map((property) => ({ object: "c", property })),
        ],
      },
    },
    forbid("web/**", { regex: String.raw`^(\.\./)+worker/` }),
    forbid("contract/**", { regex: String.raw`^(\.\./)+(worker|web)/` }),
  ],
  ignorePatterns: ["web/build", "web/.react-router", "**/.react-router"],
});
