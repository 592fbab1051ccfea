import { useMemo } from "react";
import { encode } from "uqr";
import { secondFactor } from "../../../../contract/endpoints/second-factor.ts";
import { ConfirmTotpRequest } from "../../../../contract/second-factor.ts";
import { CodeField } from "../../../components/forms/code-field.tsx";
import { useForm } from "../../../components/forms/use-form.ts";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { FormActions } from "../../../components/ui/dialog.tsx";
import { call } from "../../../lib/api/call.ts";
import { atCodeField } from "../../../lib/api/failure.ts";
import { toastFormFailure } from "../../../lib/toast-failure.ts";

/** A QR code, dark on white in every theme: some cameras can't read the reverse. */
function QrCode({ text }: { text: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: "L", border: 2 }), [text]);
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 shrink-0 rounded-md border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}

interface TotpFormProps {
  readonly secret: string;
  readonly uri: string;
  /** Gets the recovery codes that came with the first factor. */
  readonly onAdded: (codes: readonly string[] | null) => void;
}

/** The secret of a new authenticator app, and a field for the code that confirms it. */
export function TotpForm({ secret, uri, onAdded }: TotpFormProps) {
  const form = useForm({
    schema: ConfirmTotpRequest,
    async submit(body) {
      onAdded((await atCodeField(call(secondFactor.confirmTotp, body))).recovery_codes);
    },
    failed: (error) => toastFormFailure("Couldn’t add the app", error),
  });
  return (
    <form {...form.props}>
      <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
        <QrCode text={uri} />
        <div className="min-w-0 self-stretch">
          <p className="text-soft">Scan this with your authenticator app, or enter the secret manually.</p>
          {/* A phone can't scan its own screen. */}
          <a href={uri} className="text-link hidden min-h-11 items-center text-ink pointer-coarse:inline-flex">
            Open in your authenticator app
          </a>
          <div className="mt-4 rounded-md border border-edge bg-sunken py-1 pr-1 pl-3">
            <div className="flex items-center justify-between gap-2">
              <span className="label">Secret</span>
              <CopyButton text={secret} label="Copy secret" />
            </div>
            <code className="block pr-2 pb-2 font-mono text-sm wrap-anywhere text-ink select-all">
              {secret.match(/.{1,4}/g)?.join(" ")}
            </code>
          </div>
        </div>
      </div>
      <CodeField {...form.field("code")} className="mt-5" label="Code" hint="The 6-digit code from your app." />
      <FormActions cancel={<Button variant="secondary">Cancel</Button>}>
        <Button {...form.submitButton}>Add app</Button>
      </FormActions>
    </form>
  );
}
