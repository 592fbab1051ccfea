import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { SyntheticEvent } from "react";
import { UpgradeButton } from "../../../components/dashboard/subscription-warning.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Select } from "../../../components/ui/input.tsx";
import { formatCount } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";
import { useDraft } from "../../../lib/session/draft.ts";
import { failureText } from "./cells.ts";
import { beginCheck } from "./check.ts";
import { countriesByName } from "./country-codes.ts";
import { desk } from "./desk-client.ts";
import type { Outline } from "./desk.ts";
import { OutlinePanel } from "./outline.tsx";
import { FileChoice, LIST_ID, ListField, useFileDrop } from "./source.tsx";

/** How long a list is left alone while it is typed, in milliseconds. */
const SETTLE_MS = 250;

const NO_NUMBER = "There is no number in this column. Choose another.";

/** What the desk has open, from the file that was chosen last or the text in the field. */
function useList(text: string) {
  const [file, setFile] = useState<File | null>(null);
  const [outline, setOutline] = useState<Outline | null>(null);
  const [error, setError] = useState("");
  const [isReading, setReading] = useState(false);
  const latest = useRef(0);

  /** Shows what comes of it, unless something else was asked since. */
  async function ask(work: () => Promise<Outline | null>): Promise<void> {
    latest.current += 1;
    const id = latest.current;
    setReading(true);
    try {
      const found = await work();
      if (id !== latest.current) return;
      setOutline(found);
      setError("");
    } catch (failure) {
      if (id !== latest.current) return;
      setOutline(null);
      setError(failureText(failure));
    }
    setReading(false);
  }

  useEffect(() => {
    if (file !== null) {
      void ask(() => desk.open(file));
      return;
    }
    const isEmpty = text.trim() === "";
    // What is on its way no longer counts.
    latest.current += 1;
    setReading(!isEmpty);
    const timer = setTimeout(() => void ask(async () => (isEmpty ? null : desk.open(text))), isEmpty ? 0 : SETTLE_MS);
    return () => clearTimeout(timer);
  }, [file, text]);

  return { file, setFile, outline, error, isReading, ask };
}

/** What the check will use, said before it begins, and whether it can. */
function useAllowance(count: number): { isBarred: boolean; note: React.ReactNode } {
  const { data } = useQuery(queries.subscription);
  if (data !== undefined && data.status !== "active") {
    return { isBarred: true, note: <p className="text-sm text-invalid">Bulk check needs an active subscription.</p> };
  }
  const left = data?.quota.remaining ?? null;
  if (left === 0) {
    return {
      isBarred: true,
      note: (
        <div className="grid justify-items-start gap-3">
          <p className="text-sm text-invalid">
            The quota is used up: all {formatCount(data!.quota.limit ?? 0)} successful verifications. Live calls now
            return 402.
          </p>
          <UpgradeButton />
        </div>
      ),
    };
  }
  if (count === 0) return { isBarred: false, note: null };
  const isShort = left !== null && left < count;
  return {
    isBarred: false,
    note: (
      <p className="border-l-2 border-edge pl-3 text-sm text-soft">
        Uses the account’s quota: one for each valid number, up to {formatCount(count)} here. Invalid numbers are free.
        {left !== null && (
          <span className={isShort ? "text-possible" : undefined}>
            {" "}
            This account has {formatCount(left)} left{isShort && "; the check stops when they are used up"}.
          </span>
        )}
      </p>
    ),
  };
}

/** What is checked. */
export function Setup() {
  const [text, setText] = useDraft("bulk.numbers");
  const [country, setCountry] = useDraft("bulk.country");
  const [problem, setProblem] = useState("");
  const [isStarting, setStarting] = useState(false);
  const { file, setFile, outline, error, isReading, ask } = useList(text);
  const { over, handlers } = useFileDrop(setFile);
  const count = outline?.numbers ?? 0;
  const { isBarred, note } = useAllowance(count);

  // What was wrong is no more once the list is another.
  useEffect(() => setProblem(""), [outline]);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (isBarred || isReading || isStarting) return;
    if (count === 0) {
      if (error === "") setProblem(outline === null ? "Paste at least one number, or choose a file." : NO_NUMBER);
      document.getElementById(LIST_ID)?.focus();
      return;
    }
    setStarting(true);
    try {
      await beginCheck(country);
    } catch (failure) {
      setProblem(failureText(failure));
      setStarting(false);
    }
  }

  const said = error || problem || undefined;
  return (
    <Card padding="none" data-drop {...handlers}>
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
      >
        <div className="grid content-start gap-4 p-5">
          {file === null && (
            <ListField text={text} onChange={setText} onFile={setFile} error={said} />
          )}
          <FileChoice
            over={over}
            name={file?.name ?? null}
            error={file === null ? undefined : said}
            onFile={setFile}
            onClose={() => setFile(null)}
          />
          {outline !== null && (
            <OutlinePanel
              outline={outline}
              country={country}
              onRead={(reading) => void ask(() => desk.read(reading))}
              onSheet={(name) => void ask(() => desk.openSheet(name))}
            />
          )}
          {isReading && outline === null && file !== null && <p className="text-sm text-muted">Reading the file…</p>}
        </div>
        <div className="flex flex-col gap-5 border-t border-line p-5 lg:border-t-0 lg:border-l">
          <Select
            label="Country"
            aside="Optional"
            hint="For numbers without + and calling code."
            value={country}
            onChange={(event) => setCountry(event.target.value)}
          >
            <option value="">None</option>
            {countriesByName().map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
          <div className="mt-auto grid gap-4">
            {note}
            <Button type="submit" className="w-full" disabled={isBarred} busy={isStarting || isReading}>
              {count === 0 ? "Check numbers" : `Check ${formatCount(count, "number")}`}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  );
}
