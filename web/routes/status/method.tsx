import { CHECK_INTERVAL_SECONDS, CURRENT_SECONDS } from "../../../contract/checks.ts";
import { FactList } from "../../components/site/fact-list.tsx";

const FACTS = [
  ["Database", "A read and a write in D1. The time is that of the read; more than five seconds have failed."],
  ["Key store", "The same in Workers KV."],
  [
    "Queue",
    "A message in the queue that carries usage, timed until its consumer has it. One that is not back within 30 seconds has failed. Its arrival is noted in the database; while that takes no writes, nothing is known of the queue.",
  ],
  [
    "Not known",
    `No check in the last ${CURRENT_SECONDS / 60} minutes, or none that can be read. A database that does not answer hides its own history.`,
  ],
  [
    "Not measured",
    "A verification itself, which asks none of the parts for a key that was just used, and the way from you to the service. A service that is down altogether measures nothing, and leaves that time empty.",
  ],
] as const;

/** What a check is, and what it leaves open. */
export function Method() {
  return (
    <section aria-labelledby="method" className="mt-16 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20">
      <div>
        <h2 id="method" className="text-2xl">
          What is measured
        </h2>
        <p className="mt-2 text-muted">Every {CHECK_INTERVAL_SECONDS / 60} minutes, by the service itself.</p>
      </div>
      <div className="mt-8 text-soft lg:mt-0">
        <FactList facts={FACTS} />
      </div>
    </section>
  );
}
