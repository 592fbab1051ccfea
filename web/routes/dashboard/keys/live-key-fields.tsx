import { docPath } from "../../../content/docs/sections.ts";
import type { useForm } from "../../../components/forms/use-form.ts";
import { Field, TextArea } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";

interface LiveKeyFieldsProps {
  readonly field: ReturnType<typeof useForm>["field"];
  /** The initial texts. */
  readonly cap: string;
  readonly origins: string;
  readonly capHint: string;
}

/** The fields that only a live key has: its monthly cap, and the origins whose pages may use it, one per line. */
export function LiveKeyFields({ field, cap, origins, capHint }: LiveKeyFieldsProps) {
  return (
    <>
      <Field
        {...field("monthly_cap")}
        label="Monthly cap"
        aside="Optional"
        inputMode="numeric"
        autoComplete="off"
        placeholder="No cap"
        defaultValue={cap}
        hint={capHint}
      />
      <TextArea
        {...field("allowed_origins")}
        label="Allowed origins"
        aside="Optional"
        hint={
          <>
            For keys used in a web page. One origin per line. Requires a monthly cap.{" "}
            <TextLink to={docPath("web-pages")}>Learn more</TextLink>
          </>
        }
        defaultValue={origins}
        rows={1}
        inputMode="url"
        placeholder="https://shop.example"
        className="field-sizing-content max-h-28"
        fieldClass="col-span-full"
      />
    </>
  );
}
