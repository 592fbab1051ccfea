import { clsx } from "clsx";
import { useEffect, useState } from "react";
import type { InferOutput } from "valibot";
import { CreateKeyRequest } from "../../../../contract/keys.ts";
import { MAX_NAME_LENGTH } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { Failure } from "../../../components/ui/notice.tsx";
import { DAY_MS } from "../../../lib/format.ts";
import type { useDraft } from "../../../lib/session/draft.ts";
import { liveErrors, liveValues } from "./key-limits.ts";
import { LiveKeyFields } from "./live-key-fields.tsx";
import { problemOf } from "./new-key.ts";

const ABOUT: Record<KeyMode, string> = {
  test: "Uses the sandbox. Never counts against your quota.",
  live: "Verifies real numbers. Keep it on your server, or restrict it to your sites with allowed origins.",
};

interface GenerateFormProps {
  readonly mode: KeyMode;
  /** The form's content, as a query string. */
  readonly draft: ReturnType<typeof useDraft>;
  readonly onGenerate: (key: InferOutput<typeof CreateKeyRequest>) => Promise<void>;
}

const LIFETIMES = [30, 90, 365] as const;

/** Generates a key in the selected mode: optional name, expiry, cap, and allowed origins. */
export function GenerateForm({ mode, draft: [draft, writeDraft], onGenerate }: GenerateFormProps) {
  const form = useForm({
    schema: CreateKeyRequest,
    body: ({ name = "", expires_at: days, ...values }) => ({
      mode,
      name: name.trim() || undefined,
      expires_at: days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null,
      ...liveValues(values),
    }),
    rules: liveErrors,
    submit: (key) => onGenerate(key),
    failed: problemOf,
  });
  const { ref } = form.props;
  const typed = new URLSearchParams(draft);
  // Opened by a button, unless it keeps what was typed before a login.
  const [wasTyped] = useState(draft !== "");
  useEffect(() => {
    if (wasTyped) return;
    ref.current?.querySelector("input")?.focus({ preventScroll: true });
    ref.current?.scrollIntoView({ block: "nearest" });
  }, [ref, wasTyped]);

  return (
    <Card padding="none">
      <CardHeader title={<h2>Generate key</h2>} description={ABOUT[mode]} actions={<Badge tone={mode}>{mode}</Badge>} />
      <form
        {...form.props}
        className={clsx(
          "grid scroll-mt-48 scroll-mb-6 gap-4 p-5",
          mode === "live"
            ? "sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]"
            : "sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]",
        )}
        onChange={({ currentTarget }) => {
          const fields = [...new FormData(currentTarget)].filter(([, text]) => text !== "");
          writeDraft(new URLSearchParams(fields as [string, string][]).toString());
        }}
      >
        <Field
          {...form.field("name")}
          label="Name"
          aside="Optional"
          autoComplete="off"
          maxLength={MAX_NAME_LENGTH}
          placeholder={mode === "live" ? "Production server" : "My laptop"}
          defaultValue={typed.get("name") ?? ""}
          hint="So you can tell your keys apart."
        />
        <Select {...form.field("expires_at")} label="Expires" defaultValue={typed.get("expires_at") ?? ""}>
          <option value="">Never</option>
          {LIFETIMES.map((lifetime) => (
            <option key={lifetime} value={lifetime}>{`In ${lifetime} days`}</option>
          ))}
        </Select>
        {mode === "live" && (
          <LiveKeyFields
            field={form.field}
            cap={typed.get("monthly_cap") ?? ""}
            origins={typed.get("allowed_origins") ?? ""}
            capHint="Successful verifications per month."
          />
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-full">
          <Failure className="mb-2 basis-full">{form.problem}</Failure>
          <Button {...form.submitButton} className="max-sm:w-full">
            Generate key
          </Button>
        </div>
      </form>
    </Card>
  );
}
