import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../../../../contract/format.ts";
import type { ListedKey } from "../../../../contract/keys.ts";
import { sumOf } from "../../../lib/figures.ts";
import { queries } from "../../../lib/queries.ts";
import { LastUsed } from "./key-table.tsx";

/** Whether something still uses a key, which is about to stop working: its last use, and today's numbers. */
export function KeyUse({ apiKey }: { apiKey: ListedKey }) {
  const { data } = useQuery(queries.usage(1, apiKey.mode, apiKey.id));
  return (
    <span className="block text-sm text-muted">
      <LastUsed apiKey={apiKey} prefix="Used " />
      {data && `, ${formatCount(sumOf(data.days).total, "number")} today (UTC)`}
    </span>
  );
}
