import { useId, useMemo, useState } from "react";
import type { SyntheticEvent } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { Select } from "../../../../components/ui/select.tsx";
import { useDraft } from "../../../../lib/session/draft.ts";
import { KEY_HINT, beginCheck } from "../check.ts";
import { modeOf } from "../../../../lib/api-key.ts";
import { countriesByName } from "../country-codes.ts";
import { MAX_NUMBERS, readList } from "../read-list.ts";
import type { NumberList } from "../read-list.ts";
import { useFileDrop } from "./file-drop.ts";
import { FileSource } from "./file-source.tsx";
import { ApiKeyField } from "../../../../components/dashboard/api-key-field.tsx";
import { ListField } from "./list-field.tsx";
import { StartNote } from "./start-note.tsx";
import { useCsvFile } from "./use-csv-file.ts";

/** The id of the list's field, where a new check begins. */
export const LIST_ID = "bulk-numbers";

/** What keeps a list from being checked. */
function problemOf({ entries }: NumberList): string | undefined {
  if (entries.length === 0) return "Paste at least one number, or choose a file";
  if (entries.length <= MAX_NUMBERS) return undefined;
  const over = (entries.length - MAX_NUMBERS).toLocaleString("en-US");
  return `One check takes up to ${MAX_NUMBERS.toLocaleString("en-US")} numbers. Take out ${over}, or check them in parts.`;
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
                : `Check ${list.entries.length.toLocaleString("en-US")} ${list.entries.length === 1 ? "number" : "numbers"}`}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  );
}
