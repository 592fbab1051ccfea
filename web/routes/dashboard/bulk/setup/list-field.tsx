import { clsx } from "clsx";
import { CONTROL, FieldFrame, useFieldIds } from "../../../../components/ui/field-frame.tsx";
import type { NumberList } from "../read-list.ts";

/** Characters. Browsers insert more than that line by line, for seconds; so it is put in at once, at the price of undoing it. */
const LARGE_PASTE = 20_000;

/** How a list is understood: "1,240 numbers, 12 of them repeated". */
function summaryOf({ entries, repeated, withoutDigits }: NumberList): string {
  const parts = [`${entries.length.toLocaleString("en-US")} ${entries.length === 1 ? "number" : "numbers"}`];
  if (repeated > 0) parts.push(`${repeated.toLocaleString("en-US")} repeated, checked once`);
  if (withoutDigits > 0) parts.push(`${withoutDigits.toLocaleString("en-US")} without digits left out`);
  return parts.join(" · ");
}

export interface ListFieldProps {
  id: string;
  text: string;
  onChange: (text: string) => void;
  list: NumberList;
  error: string | undefined;
}

/** The list itself: pasted, typed, or taken from a file. */
export function ListField({ id, text, onChange, list, error }: ListFieldProps) {
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
