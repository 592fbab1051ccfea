import { clsx } from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import * as v from "valibot";
import { KeyName } from "../../../../contract/accounts.ts";
import { MAX_NAME_LENGTH } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { Failure } from "../../../components/ui/notice.tsx";
import type { useDraft } from "../../../lib/session/draft.ts";
import { DAY_MS } from "../../../lib/format.ts";
import { CAP_RULE, readCap } from "./cap.ts";
import type { Generate } from "./new-key.ts";
import { OriginsField } from "./origins-field.tsx";
import { readOrigins } from "./origins.ts";

const ABOUT: Record<KeyMode, string> = {
  test: "Uses the sandbox. Never counts against your quota.",
  live: "Verifies real numbers. Keep it on your server, unless it has allowed origins.",
};

interface GenerateFormProps {
  readonly mode: KeyMode;
  readonly isBarred: boolean;
  readonly draft: Readonly<Record<"name" | "days" | "cap" | "origins", ReturnType<typeof useDraft>>>;
  readonly action: Pick<Generate, "busy" | "errors" | "generate">;
  /** Why its key could not be generated, if so. */
  readonly problem: string | false | null;
}

const LIFETIMES = [30, 90, 365] as const;

/** Generates a key in the selected mode: optional name, expiry, cap, and allowed origins. */
export function GenerateForm({ mode, isBarred, draft, action, problem }: GenerateFormProps) {
  const id = useId();
  const [invalid, setInvalid] = useState<string>();
  const [name, setName] = draft.name;
  const [days, setDays] = draft.days;
  const [cap, setCap] = draft.cap;
  const [capError, setCapError] = useState<string>();
  const [origins, setOrigins] = draft.origins;
  const [originsError, setOriginsError] = useState<string>();
  const trimmed = name.trim();
  // Opened by a button, unless it keeps what was typed before a login.
  const [wasTyped] = useState([name, days, cap, origins].some((text) => text !== ""));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (wasTyped) return;
    document.getElementById(id)?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  }, [id, wasTyped]);

  function submit() {
    if (isBarred) return;
    const monthlyCap = mode === "live" ? readCap(cap) : null;
    setCapError(monthlyCap === undefined ? CAP_RULE : undefined);
    if (monthlyCap === undefined) return document.getElementById(`${id}-cap`)?.focus();
    const allowedOrigins = mode === "live" ? readOrigins(origins) : [];
    setOriginsError(typeof allowedOrigins === "string" ? allowedOrigins : undefined);
    if (typeof allowedOrigins === "string") return document.getElementById(`${id}-origins`)?.focus();
    const check = v.safeParse(KeyName, trimmed);
    if (trimmed !== "" && !check.success) {
      setInvalid(check.issues[0].message);
      document.getElementById(id)?.focus();
      return;
    }
    setInvalid(undefined);
    action.generate({
      mode,
      name: trimmed === "" ? undefined : trimmed,
      expires_at: days === "" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
      monthly_cap: monthlyCap,
      allowed_origins: [...allowedOrigins],
    });
  }

  return (
    <Card padding="none" className="print:hidden">
      <CardHeader
        title={<h2>Generate a key</h2>}
        description={ABOUT[mode]}
        actions={<Badge tone={mode}>{mode}</Badge>}
      />
      <form
        ref={form}
        noValidate
        className={clsx(
          "grid scroll-mt-48 scroll-mb-6 gap-4 p-5",
          mode === "live"
            ? "sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]"
            : "sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]",
        )}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          id={id}
          label="Name"
          aside="Optional"
          autoComplete="off"
          maxLength={MAX_NAME_LENGTH}
          placeholder={mode === "live" ? "Production server" : "My laptop"}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setInvalid(undefined);
          }}
          error={invalid ?? action.errors["name"]}
          hint="So you can tell your keys apart."
        />
        <Select label="Expires" value={days} onChange={(event) => setDays(event.target.value)}>
          <option value="">Never</option>
          {LIFETIMES.map((lifetime) => (
            <option key={lifetime} value={lifetime}>{`In ${lifetime} days`}</option>
          ))}
        </Select>
        {mode === "live" && (
          <Field
            id={`${id}-cap`}
            label="Monthly cap"
            aside="Optional"
            inputMode="numeric"
            autoComplete="off"
            placeholder="No cap"
            value={cap}
            onChange={(event) => {
              setCap(event.target.value);
              setCapError(undefined);
            }}
            error={capError ?? action.errors["monthly_cap"]}
            hint="Successful verifications per month."
          />
        )}
        {mode === "live" && (
          <OriginsField
            id={`${id}-origins`}
            className="sm:col-span-full"
            value={origins}
            onChange={(value) => {
              setOrigins(value);
              setOriginsError(undefined);
            }}
            error={originsError ?? action.errors["allowed_origins"]}
          />
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-full">
          <Failure className="mb-2 basis-full">{problem}</Failure>
          <Button type="submit" busy={action.busy} disabled={isBarred} className="max-sm:w-full">
            Generate API Key
          </Button>
        </div>
      </form>
    </Card>
  );
}
