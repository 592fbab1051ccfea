/** A page of the docs: its address is `/docs/{slug}`, its text `{slug}.mdx` beside this file. */
export interface DocPage {
  readonly slug: string;
  /** Its name in the navigation. The heading is the title in the file's front matter. */
  readonly label: string;
  /** Of the call that the page is about. */
  readonly method?: "GET" | "POST";
  /** Found by search and links, but not in the navigation: the dashboard's own calls. */
  readonly unlisted?: true;
}

/** The pages of the docs, as the navigation groups them and in the order they are read. */
export const DOC_GROUPS = [
  {
    title: "Start",
    pages: [
      { slug: "introduction", label: "Introduction" },
      { slug: "quickstart", label: "Quickstart" },
      { slug: "authentication", label: "Authentication" },
      { slug: "integration", label: "Integration" },
      { slug: "frameworks", label: "Frameworks" },
      { slug: "web-pages", label: "Web pages" },
      { slug: "sdks", label: "SDKs" },
      { slug: "bulk-check", label: "Bulk verify" },
      { slug: "command-line", label: "Command line" },
      { slug: "recipes", label: "Recipes" },
      { slug: "mcp", label: "AI assistants (MCP)" },
    ],
  },
  {
    title: "API",
    pages: [
      { slug: "api-reference", label: "API reference" },
      { slug: "conventions", label: "Conventions" },
      { slug: "verify", label: "Verify a number", method: "POST" },
      { slug: "verify-batch", label: "Verify a batch", method: "POST" },
      { slug: "verify-stream", label: "Verify a stream", method: "POST" },
      { slug: "quota", label: "Read the quota", method: "GET" },
      { slug: "countries", label: "Countries", method: "GET" },
      { slug: "service", label: "Health and status", method: "GET" },
      { slug: "errors", label: "Errors" },
      { slug: "limits", label: "Limits and quota" },
      { slug: "idempotency", label: "Idempotency" },
    ],
  },
  {
    title: "Reference",
    pages: [
      { slug: "response-schema", label: "Response schema" },
      { slug: "reading-numbers", label: "How we read a number" },
      { slug: "accuracy", label: "Accuracy" },
      { slug: "coverage", label: "Coverage" },
      { slug: "data", label: "Data" },
      { slug: "sdk-reference", label: "SDK reference" },
      { slug: "account-api", label: "Account API", unlisted: true },
      { slug: "changelog", label: "Changelog" },
    ],
  },
  {
    title: "Test",
    pages: [
      { slug: "sandbox", label: "Sandbox" },
      { slug: "testing", label: "Testing" },
      { slug: "test-your-parser", label: "Test your own parser" },
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
      { slug: "from-vonage-number-insight", label: "Vonage Number Insight" },
      { slug: "from-twilio-lookup", label: "Twilio Lookup" },
      { slug: "from-numverify", label: "numverify" },
      { slug: "from-libphonenumber", label: "libphonenumber" },
    ],
  },
] as const satisfies readonly { title: string; pages: readonly DocPage[] }[];

/** A group's pages in the navigation. */
export function listedPages(pages: readonly DocPage[]): readonly DocPage[] {
  return pages.filter(({ unlisted }) => !unlisted);
}

/** Every page of the docs, in reading order. */
export const DOC_PAGES: readonly DocPage[] = DOC_GROUPS.flatMap((group): readonly DocPage[] => group.pages);

export function docPath(slug: string): string {
  return `/docs/${slug}`;
}
