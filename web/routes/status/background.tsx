import { useSyncExternalStore } from "react";
import { CHECK_INTERVAL_SECONDS, CURRENT_SECONDS } from "../../../contract/checks.ts";
import { COUNTRY_NAMES } from "../../../contract/country-names.ts";
import {
  DATA_NAMES,
  DATA_RELEASES,
  dataReleaseName,
  type DataTable,
  REGISTER_RELEASES,
  registerReleaseText,
} from "../../../contract/data.ts";
import { REGISTER_COUNTRIES } from "../../../contract/registers.ts";
import { FactList } from "../../components/site/fact-list.tsx";

const FACTS = [
  [
    "Verification",
    "We send 20 calls for a single number through the whole API, with a live key of a trial that the server has just used: routing, rate limits, quota, the engine, and the response. We report the median and the 95th percentile (p95). The calls start inside our network, so the trip between you and us isn’t included. A key that it hasn’t used for a while also has to be looked up in the key store. Batches with a quota also wait for our usage counter, which isn’t included.",
  ],
  ["Database", "One read in Cloudflare D1. More than 5 seconds is a failure."],
  ["Key store", "One read and one write in Workers KV, each in at most 5 seconds. We report both together."],
  [
    "Unknown",
    `There was no check in the last ${CURRENT_SECONDS / 60} minutes, or we can’t read it. History isn’t available while the database is down.`,
  ],
  [
    "Not measured",
    "The network between you and us. While the database or the whole service is down, nothing is recorded.",
  ],
] as const;

/** What a check is, and what it does not cover. */
export function Method() {
  return (
    <section aria-labelledby="method" className="mt-16 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20">
      <div>
        <h2 id="method" className="text-2xl">
          What we measure
        </h2>
        <p className="mt-2 text-muted">Every {CHECK_INTERVAL_SECONDS / 60} minutes, with our own health checks.</p>
      </div>
      <div className="mt-8 text-soft lg:mt-0">
        <FactList facts={FACTS} />
      </div>
    </section>
  );
}

/** Today in UTC: "2026-11-26". */
function utcDay(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Subscribes to a day that is read once. */
function staysSame(): () => void {
  return () => undefined;
}

/** The age of the data in this build; the service is deployed together with it. */
export function Data() {
  // The page is prerendered on the day of the build, which says nothing about today.
  const today = useSyncExternalStore(staysSame, utcDay, () => "");
  const tables = (Object.keys(DATA_NAMES) as DataTable[]).map(
    (table) => [DATA_NAMES[table], dataReleaseName(DATA_RELEASES[table])] as const,
  );
  const registers = REGISTER_COUNTRIES.map((country) => {
    const release = REGISTER_RELEASES[country];
    const said = release === null ? "Left out." : registerReleaseText(release, today);
    return [COUNTRY_NAMES[country], said] as const;
  });
  return (
    <section aria-labelledby="data" className="mt-16 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20">
      <div>
        <h2 id="data" className="text-2xl">
          Data sources
        </h2>
        <p className="mt-2 text-muted">The release behind each data set.</p>
      </div>
      <div className="mt-8 text-soft lg:mt-0">
        <FactList facts={tables} />
        <h3 className="mt-10 text-lg text-ink">Registers of numbers</h3>
        <p className="mt-2 mb-6 text-muted">
          Official lists of who holds which numbers. An old list still says who holds a range, but not that nobody does.
        </p>
        <FactList facts={registers} />
      </div>
    </section>
  );
}
