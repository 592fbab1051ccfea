import { defineConfig, type OxlintOverride } from "oxlint";

/**
 * The floors of a folder, from the bottom: no place imports from another one of its own floor or above (AGENTS.md,
 * Layout).
 */
const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "": [
    ["contract/"],
    ["lists/"],
    ["sdks/"],
    ["worker/", "web/"],
    ["scripts/"],
    ["test/"],
    ["bench/", "sdks/conformance/"],
  ],
  "worker/": [
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
  ],
  "web/": [["lib/"], ["content/"], ["components/", "plugins/"], ["routes/"]],
  "web/components/": [
    ["brand/", "ui/"],
    ["anatomy/", "dashboard/", "forms/", "search/", "site/"],
  ],
};

/** Forbids imports in all files but tests. The last rule for a file replaces those before it. */
function forbid(files: string, imports: { readonly regex: string } | { readonly group: string[] }): OxlintOverride {
  return {
    files: [files],
    excludeFiles: ["**/*.test.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: [imports] }] },
  };
}

/** The places that a place and what is in it can't import from: those not below it, nor below the folders around it. */
function notBelow(place: string): string[] {
  return Object.entries(FLOORS).flatMap(([folder, floors]) => {
    const at = floors.findLastIndex((floor) => floor.some((each) => place.startsWith(folder + each)));
    const others = at === -1 ? [] : floors.slice(at).flat();
    return others.filter((other) => !place.startsWith(folder + other));
  });
}

const floors = Object.entries(FLOORS).flatMap(([folder, list]) =>
  list.flat().map((name) => {
    const place = folder + name;
    const names = notBelow(place)
      .join("|")
      .replaceAll(".", String.raw`\.`);
    return place.endsWith("/")
      ? forbid(`${place}**`, { regex: String.raw`^(\.\./)+(${names})` })
      : forbid(place, { regex: String.raw`^(\.\.?/)*(${names})` });
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
    forbid("worker/phone/**", { group: ["*", "!./**", "!../../contract/**", "!../*.ts", "!../../../contract/**"] }),
    // Lists run in a browser's worker and in Node: callers pass in what differs.
    forbid("lists/**", {
      regex: String.raw`^(?!\.\.?/(?!(\.\./)*(sdks|worker|web|scripts|test|bench)/)|(hucre/xlsx|jschardet)$)`,
    }),
    {
      files: ["lists/**"],
      excludeFiles: ["**/*.test.ts"],
      rules: {
        "no-restricted-globals": [
          "error",
          "document",
          "window",
          "self",
          "navigator",
          "localStorage",
          "indexedDB",
          "fetch",
          "process",
          "Buffer",
        ],
      },
    },
    {
      files: ["worker/http/**"],
      excludeFiles: ["**/*.test.ts"],
      rules: { "typescript/no-non-null-assertion": "error" },
    },
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
  ],
  ignorePatterns: ["web/build", "web/.react-router", "**/.react-router"],
});
