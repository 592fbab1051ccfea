import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds on the page as it is now: rule, element and what is wrong, one sentence each. */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => {
      const summary = failureSummary
        .split("\n")
        .slice(1)
        .map((line) => line.trim());
      return `${id}: ${target.join(" ")}: ${summary.join("; ")}`;
    }),
  );
}
