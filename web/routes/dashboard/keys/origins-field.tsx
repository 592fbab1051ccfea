import { clsx } from "clsx";
import { docPath } from "../../../content/docs/sections.ts";
import { CONTROL, FieldFrame, useFieldIds } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";

interface OriginsFieldProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly className?: string;
}

/** The origins whose pages may use a live key, one per line. */
export function OriginsField({ id, value, onChange, error, className }: OriginsFieldProps) {
  const hint = (
    <>
      Only for a key in a web page, one per line. Requires a cap.{" "}
      <TextLink to={docPath("web-pages")}>Learn more</TextLink>
    </>
  );
  const { control } = useFieldIds(id, { hint, error });
  return (
    <FieldFrame id={id} label="Allowed origins" aside="Optional" hint={hint} error={error} className={className}>
      <textarea
        {...control}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        rows={Math.min(value.split("\n").length, 4)}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        inputMode="url"
        placeholder="https://shop.example"
        className={clsx(CONTROL, "resize-y")}
      />
    </FieldFrame>
  );
}
