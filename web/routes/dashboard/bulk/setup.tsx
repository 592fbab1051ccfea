import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ReactNode, SyntheticEvent } from "react";
import { Banner } from "../../../components/dashboard/banner.tsx";
import { EmailForMore } from "../../../components/dashboard/subscription-warning.tsx";
import { ConditionChoice, useCountries } from "../../../components/forms/condition-choice.tsx";
import { MoreFields } from "../../../components/forms/more-fields.tsx";
import { ANY_NUMBER } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Select } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { formatCount } from "../../../../contract/format.ts";
import type { Subscription } from "../../../../contract/subscriptions.ts";
import { queries } from "../../../lib/queries.ts";
import { useDraft } from "../../../lib/session/draft.ts";
import { BULK_KEPT_DAYS } from "../../../lib/session/kept-check.ts";
import { failureText } from "../../../../lists/unusable.ts";
import { beginCheck } from "./check.ts";
import { desk } from "./desk-client.ts";
import type { ListSummary } from "../../../../lists/summary.ts";
import { ListSummaryPanel } from "./list-summary.tsx";
import { FileChoice, LIST_ID, ListField, useFileDrop } from "./source.tsx";

/** How long to wait for typing to stop, in milliseconds. */
const SETTLE_MS = 250;

/** A draft that is yes or no. */
function useSwitch(name: string): [isOn: boolean, set: (isOn: boolean) => void] {
  const [text, write] = useDraft(name);
  return [text !== "", (isOn) => write(isOn ? "on" : "")];
}

const NO_NUMBER = "This column has no numbers. Choose another.";

/** What the desk has open: the last chosen file, or else the text in the field. */
function useList() {
  const [text, setText] = useDraft("bulk.numbers");
  const [initial] = useState(text);
  const [file, setFile] = useState<File | null>(null);
  const [summary, setSummary] = useState<ListSummary | null>(null);
  const [error, setError] = useState("");
  const [isReading, setReading] = useState(initial.trim() !== "");
  const latest = useRef(0);
  const timer = useRef(0);

  /** Shows the outcome, unless something else was requested since. */
  const show = useCallback(async (work: Promise<ListSummary | null>): Promise<void> => {
    latest.current += 1;
    const id = latest.current;
    const found = await work.catch((failure: unknown) => failureText(failure));
    if (id !== latest.current) return;
    setSummary(typeof found === "string" ? null : found);
    setError(typeof found === "string" ? found : "");
    setReading(false);
  }, []);

  // An existing list, for example after logging in again.
  useEffect(() => {
    if (initial.trim() !== "") void show(desk.open(initial));
  }, [initial, show]);

  function read(work: Promise<ListSummary | null>): void {
    clearTimeout(timer.current);
    setReading(true);
    void show(work);
  }
  function readText(next: string, delay: number): void {
    // Pending work no longer counts.
    latest.current += 1;
    clearTimeout(timer.current);
    setReading(true);
    const work = async () => (next.trim() === "" ? null : desk.open(next));
    timer.current = window.setTimeout(() => void show(work()), next.trim() === "" ? 0 : delay);
  }

  return {
    text,
    file,
    summary,
    error,
    isReading,
    fail: setError,
    read,
    write(next: string) {
      setText(next);
      readText(next, SETTLE_MS);
    },
    choose(next: File) {
      setFile(next);
      setSummary(null);
      setError("");
      read(desk.open(next));
    },
    close() {
      setFile(null);
      readText(text, 0);
    },
  };
}

/** Why nothing can be verified now; null if something can. */
function barrierTo(subscription: Subscription | undefined): ReactNode {
  if (subscription === undefined) return null;
  if (subscription.status !== "active") {
    return <p className="text-sm text-soft">Bulk verify requires an active subscription.</p>;
  }
  const { remaining, limit } = subscription.quota;
  if (remaining !== 0) return null;
  return (
    <Banner tone="invalid" title="Your quota is used up" actions={<EmailForMore />}>
      You’ve used all {formatCount(limit ?? 0)} successful live verifications.
    </Banner>
  );
}

/** What the check will use, shown before it starts. @param left of the quota; null without one */
function Use({ count, left }: { count: number; left: number | null }) {
  const isShort = left !== null && left < count;
  return (
    <p className="border-l-2 border-edge pl-3 text-sm text-soft">
      This will use up to {formatCount(count, "verification")}. Only valid numbers count.
      {left !== null && (
        <span className={isShort ? "text-possible" : undefined}>
          {" "}
          You have {formatCount(left)} left{isShort && "; verifying stops when they’re used up"}.
        </span>
      )}
    </p>
  );
}

/** What is checked. */
export function Setup() {
  const [country, setCountry] = useDraft("bulk.country");
  const countries = useCountries(country);
  const [coversUnread, setCoversUnread] = useSwitch("bulk.covers-unread");
  const [chosen, setChosen] = useDraft("bulk.condition");
  const condition = chosen === "" ? ANY_NUMBER : (JSON.parse(chosen) as Condition);
  const [hasConditions, setHasConditions] = useSwitch("bulk.has-conditions");
  const [isStarting, setStarting] = useState(false);
  const { text, file, summary, error, isReading, fail, read, write, choose, close } = useList();
  const { over, handlers } = useFileDrop(choose);
  const count = summary?.numbers ?? 0;
  const hasColumn = summary !== null && summary.reading.countryColumn !== null;
  const { data: subscription } = useQuery(queries.subscription);
  const barrier = barrierTo(subscription);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (barrier !== null || isReading || isStarting) return;
    if (count === 0) {
      if (error === "") fail(summary === null ? "Paste at least one number, or choose a file." : NO_NUMBER);
      document.getElementById(LIST_ID)?.focus();
      return;
    }
    setStarting(true);
    try {
      await beginCheck({
        country,
        coversUnread: country !== "" && coversUnread,
        condition: hasConditions ? condition : ANY_NUMBER,
      });
    } catch (failure) {
      fail(failureText(failure));
      setStarting(false);
    }
  }

  const said = error || undefined;
  const isUnread = file !== null && summary === null && error !== "";
  return (
    <Card padding="none" className="print:hidden" data-drop {...handlers}>
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
      >
        <div className="grid content-start gap-4 p-5">
          {file === null && <ListField text={text} onChange={write} onFile={choose} error={said} />}
          <FileChoice
            over={over}
            name={file?.name ?? null}
            error={file === null ? undefined : said}
            onFile={choose}
            onClose={close}
          />
          {summary !== null && (
            <ListSummaryPanel
              summary={summary}
              isFile={file !== null}
              country={country}
              coversUnread={coversUnread}
              onUnread={setCoversUnread}
              onRead={(reading) => read(desk.read(reading))}
              onSheet={(name) => read(desk.openSheet(name))}
            />
          )}
          {isReading && summary === null && file !== null && <p className="text-sm text-muted">Reading the file…</p>}
        </div>
        <div className="grid content-start gap-5 border-t border-line p-5 lg:border-t-0 lg:border-l">
          <Select
            label="Country for all rows"
            aside="Optional"
            hint={
              hasColumn
                ? "Used where the country column is blank, for numbers without a calling code."
                : "Used for numbers without a calling code."
            }
            {...countries.reach}
            value={country}
            onChange={(event) => setCountry(event.target.value)}
          >
            <option value="">Choose a country</option>
            {countries.options}
          </Select>
          <MoreFields title="Add conditions" isOpen={hasConditions} onToggle={setHasConditions}>
            <ConditionChoice
              hasRows
              hasRanges
              hint={
                condition.line === "any" && (condition.type === "mobile" || condition.type === "fixed")
                  ? "US and Canadian numbers are accepted as either type. Choose a line type to tell them apart."
                  : "Rejected numbers stay in the results, marked as not accepted."
              }
              value={condition}
              onChange={(next) => setChosen(JSON.stringify(next))}
            />
          </MoreFields>
          <div className="grid gap-4">
            {barrier}
            {barrier === null && count > 0 && <Use count={count} left={subscription?.quota.remaining ?? null} />}
            {barrier === null && isUnread && <p className="text-sm text-soft">Choose another file first.</p>}
            <Button
              type="submit"
              className="w-full"
              disabled={barrier !== null || (file !== null && error !== "")}
              busy={isStarting || isReading}
            >
              {count === 0 ? "Verify numbers" : `Verify ${formatCount(count, "number")}`}
            </Button>
            <p className="text-sm text-muted">
              Your list and its results stay in this browser for {BULK_KEPT_DAYS} days, or until you delete them or log
              out. <TextLink to="/policy">Privacy policy</TextLink>
            </p>
          </div>
        </div>
      </form>
    </Card>
  );
}
