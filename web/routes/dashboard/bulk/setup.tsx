import { clsx } from "clsx";
import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import type { SyntheticEvent } from "react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { ApiKeyField, modeOf } from "../../../components/dashboard/api-key-field.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { CONTROL, FieldFrame, Select, useFieldIds } from "../../../components/ui/input.tsx";
import { formatCount } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";
import { useDraft } from "../../../lib/session/draft.ts";
import { beginCheck, KEY_HINT } from "./check.ts";
import { countriesByName } from "./country-codes.ts";
import { FileSource, useCsvFile, useFileDrop } from "./file-source.tsx";
import { MAX_NUMBERS, readList } from "./read-list.ts";
import type { NumberList } from "./read-list.ts";

/** Characters. Browsers insert more than that line by line, for seconds; so it is put in at once, at the price of undoing it. */
const LARGE_PASTE = 20_000;

/** How a list is understood: "1,240 numbers, 12 of them repeated". */
function summaryOf({ entries, repeated, withoutDigits }: NumberList): string {
  const parts = [formatCount(entries.length, "number")];
  if (repeated > 0) parts.push(`${formatCount(repeated)} repeated, checked once`);
  if (withoutDigits > 0) parts.push(`${formatCount(withoutDigits)} without digits left out`);
  return parts.join(" · ");
}

interface ListFieldProps {
  id: string;
  text: string;
  onChange: (text: string) => void;
  list: NumberList;
  error: string | undefined;
}

/** The list itself: pasted, typed, or taken from a file. */
function ListField({ id, text, onChange, list, error }: ListFieldProps) {
  const hint =
    list.entries.length === 0 && list.withoutDigits === 0
      ? "One a line, or between commas, semicolons or tabs."
      : summaryOf(list);
  const { control } = useFieldIds(id, { hint, error });
  return (
    <FieldFrame
      id={id}
      label="Numbers"
      hint={hint}
      error={error}
      aside={
        text !== "" && (
          <button
            type="button"
            onClick={() => {
              onChange("");
              // This button goes away.
              document.getElementById(id)?.focus();
            }}
            className="text-link"
          >
            Clear
          </button>
        )
      }
    >
      <textarea
        {...control}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData("text/plain");
          if (pasted.length < LARGE_PASTE) return;
          event.preventDefault();
          const { selectionStart, selectionEnd } = event.currentTarget;
          onChange(text.slice(0, selectionStart) + pasted + text.slice(selectionEnd));
        }}
        rows={11}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        inputMode="text"
        placeholder={"+55 11 98765 4321\n+1 202 555 0123\n+44 20 7946 0018"}
        className={clsx(CONTROL, "resize-y font-mono text-sm leading-[1.7]")}
      />
    </FieldFrame>
  );
}

function Left({ count }: { count: number }) {
  const { data } = useQuery(queries.subscription);
  const left = data?.quota.remaining ?? null;
  if (left === null) return null;
  const isShort = left < count;
  return (
    <span className={isShort ? "text-possible" : undefined}>
      {" "}
      This account has {formatCount(left)} left{isShort && "; the check stops when they are used up"}.
    </span>
  );
}

/** What the check will cost, said before it begins. */
function StartNote({ mode, count }: { mode: KeyMode | null; count: number }) {
  if (mode === null || count === 0) return null;
  return (
    <p className="border-l-2 border-edge pl-3 text-sm text-soft">
      {mode === "test" ? (
        "A test key answers from the sandbox: invalid numbers come as its failures, and nothing counts against the quota."
      ) : (
        <>
          A live key uses quota: one for each valid number, up to {formatCount(count)} here. Invalid numbers are free.
          <Left count={count} />
        </>
      )}
    </p>
  );
}

/** The id of the list's field, where a new check begins. */
export const LIST_ID = "bulk-numbers";

/** What keeps a list from being checked. */
function problemOf({ entries }: NumberList): string | undefined {
  if (entries.length === 0) return "Paste at least one number, or choose a file";
  if (entries.length <= MAX_NUMBERS) return undefined;
  const over = formatCount(entries.length - MAX_NUMBERS);
  return `One check takes up to ${formatCount(MAX_NUMBERS)} numbers. Take out ${over}, or check them in parts.`;
}

/** What is checked, and with which key. */
export function Setup() {
  const id = useId();
  const [text, setText] = useDraft("bulk.numbers");
  const [country, setCountry] = useDraft("bulk.country");
  const [key, setKey] = useState("");
  const [tried, setTried] = useState(false);
  const source = useCsvFile();
  const { over, handlers } = useFileDrop(source.open);
  const list = useMemo(() => readList(text), [text]);
  const mode = modeOf(key.trim());

  const tooMany = list.entries.length > MAX_NUMBERS;
  const listError = tried || tooMany ? problemOf(list) : undefined;
  const keyError = tried && mode === null ? "Paste an API key: it begins with ch_test_ or ch_live_" : undefined;

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    setTried(true);
    if (problemOf(list) !== undefined) document.getElementById(LIST_ID)?.focus();
    else if (mode === null) document.getElementById(`${id}-key`)?.focus();
    else beginCheck({ list, country, key: key.trim(), mode });
  }

  function add(cells: readonly string[]) {
    setText([text.trimEnd(), ...cells].filter((line) => line !== "").join("\n"));
    document.getElementById(LIST_ID)?.focus();
  }

  return (
    <Card padding="none" data-drop {...handlers}>
      <form noValidate onSubmit={submit} className="grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid content-start gap-4 p-5">
          <ListField id={LIST_ID} text={text} onChange={setText} list={list} error={listError} />
          <FileSource source={source} over={over} onAdd={add} />
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
          <ApiKeyField id={`${id}-key`} value={key} onChange={setKey} error={keyError} hint={KEY_HINT} />
          <div className="mt-auto grid gap-4">
            <StartNote mode={mode} count={list.distinct.length} />
            <Button type="submit" className="w-full">
              {list.entries.length === 0 || tooMany
                ? "Check numbers"
                : `Check ${formatCount(list.entries.length, "number")}`}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  );
}
