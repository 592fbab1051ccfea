/** A page of the docs: its address is `/docs/{slug}`, its text `{slug}.mdx` beside this file. */
export interface DocPage {
  readonly slug: string;
  /** Its name in the navigation. The heading is the title in the file's front matter. */
  readonly label: string;
}

/** The pages of the docs, as the navigation groups them and in the order they are read. */
export const DOC_GROUPS = [
  {
    title: "Start",
    pages: [
      { slug: "introduction", label: "Introduction" },
      { slug: "authentication", label: "Authentication" },
      { slug: "integration", label: "Integration" },
      { slug: "web-pages", label: "Web pages" },
      { slug: "sdks", label: "SDKs" },
      { slug: "bulk-check", label: "Bulk check" },
      { slug: "command-line", label: "Command line" },
      { slug: "recipes", label: "Recipes" },
      { slug: "mcp", label: "Assistants (MCP)" },
    ],
  },
  {
    title: "Reference",
    pages: [
      { slug: "api-reference", label: "API reference" },
      { slug: "response-schema", label: "Response schema" },
      { slug: "reading-numbers", label: "How we read a number" },
      { slug: "sdk-reference", label: "SDK reference" },
      { slug: "account-api", label: "Account API" },
      { slug: "changelog", label: "Changelog" },
    ],
  },
  {
    title: "Test",
    pages: [
      { slug: "sandbox", label: "Sandbox" },
      { slug: "testing", label: "Testing" },
    ],
  },
  {
    title: "Go live",
    pages: [
      { slug: "production-migration", label: "Production migration" },
      { slug: "support", label: "Support" },
    ],
  },
  {
    title: "Migrate from",
    pages: [
      { slug: "from-numverify", label: "numverify" },
      { slug: "from-twilio-lookup", label: "Twilio Lookup" },
      { slug: "from-vonage-number-insight", label: "Vonage Number Insight" },
      { slug: "from-libphonenumber", label: "libphonenumber" },
    ],
  },
] as const satisfies readonly { title: string; pages: readonly DocPage[] }[];

/** Every page of the docs, in reading order. */
export const DOC_PAGES: readonly DocPage[] = DOC_GROUPS.flatMap((group): readonly DocPage[] => group.pages);

export function docPath(slug: string): string {
  return `/docs/${slug}`;
}
