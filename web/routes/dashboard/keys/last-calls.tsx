import { useQuery } from "@tanstack/react-query";
import { TextLink } from "../../../components/ui/link.tsx";
import { useMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { Calls } from "../activity/calls.tsx";
import { labelsOf } from "../activity/key-label.ts";

/** The last calls in the selected mode; nothing without any. */
export function LastCalls() {
  const { data } = useQuery(queries.summary(useMode()));
  const { data: listed } = useQuery(queries.keys);
  if (data === undefined || data.calls.latest.length === 0) return null;
  return (
    <section aria-labelledby="last-calls">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="last-calls" className="text-base text-ink">
          Last calls
        </h2>
        <TextLink to="/dashboard/activity" className="text-sm">
          All activity
        </TextLink>
      </div>
      <Calls calls={data.calls.latest} names={labelsOf(listed?.keys)} />
    </section>
  );
}
