import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { secondFactor } from "../../../../contract/endpoints/second-factor.ts";
import { RECOVERY_CODES } from "../../../../contract/limits.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog, Dialog } from "../../../components/ui/dialog.tsx";
import { call } from "../../../lib/api/call.ts";
import { formatDate } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { TotpForm } from "./totp-form.tsx";

/** What to remove or replace once the user agrees. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly failed: string;
  work(): Promise<void>;
}

/** Which dialog is open. */
type Open =
  | { readonly what: "app"; readonly secret: string; readonly uri: string }
  | { readonly what: "passkey" }
  | { readonly what: "codes"; readonly codes: readonly string[] }
  | { readonly what: "question"; readonly question: Question }
  | null;

interface RowProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly action: ReactNode;
  /** A list of what belongs to it. */
  readonly below?: ReactNode;
  /** In such a list. */
  readonly isNested?: boolean;
}

function Row({ title, children, action, below, isNested = false }: RowProps) {
  return (
    <li className={isNested ? "py-3 last:pb-0" : "px-5 py-3.5"}>
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium wrap-break-word text-ink">{title}</p>
          <div className="text-sm text-muted">{children}</div>
        </div>
        {action}
      </div>
      {below}
    </li>
  );
}

/** The account's authenticator app, passkeys, and recovery codes, with ways to add and remove them. */
export function SecondFactor() {
  const query = useQuery(queries.secondFactor);
  const client = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const { busy, run } = useAction();
  const [open, setOpen] = useState<Open>(null);

  async function refresh(): Promise<void> {
    await Promise.all([
      client.invalidateQueries({ queryKey: queries.secondFactor.queryKey }),
      client.invalidateQueries({ queryKey: queries.securityEvents.queryKey }),
    ]);
  }

  async function attempt(failed: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toastFailure(failed, error);
    }
  }

  function added(what: string, codes: readonly string[] | null): void {
    toast.success(`${what} added`);
    setOpen(codes === null ? null : { what: "codes", codes });
    void refresh();
  }

  const startApp = () =>
    run(() => attempt("Couldn’t start", async () => setOpen({ what: "app", ...(await call(secondFactor.addTotp)) })));

  function ask(question: Question): void {
    setOpen({ what: "question", question });
  }

  function answerYes({ failed, work }: Question): void {
    // Before the password prompt, which may come next.
    setOpen(null);
    run(() =>
      attempt(failed, async () => {
        await work();
        await refresh();
        // The focused button may be gone.
        list.current?.focus();
      }),
    );
  }

  const removal = (name: string, work: () => Promise<unknown>): Question => ({
    title: `Remove ${name}?`,
    text: "You won’t be able to log in with it anymore. If nothing else is left, two-factor authentication turns off: your recovery codes stop working and your password alone is enough.",
    button: "Remove",
    failed: `Couldn’t remove ${name}`,
    async work() {
      await work();
      toast.success("Removed");
    },
  });

  const replacement: Question = {
    title: "Replace the recovery codes?",
    text: "Your saved codes will stop working.",
    button: "Replace",
    failed: "Couldn’t replace the codes",
    async work() {
      const { recovery_codes: codes } = await call(secondFactor.replaceRecoveryCodes);
      setOpen({ what: "codes", codes });
    },
  };

  return (
    <QueryState query={query} what="two-factor authentication" rows={2} skeletonClass="min-h-37">
      {({ totp_added_at: addedAt, recovery_codes_left: left, passkeys }) => (
        <>
          <ul
            ref={list}
            tabIndex={-1}
            aria-label="Two-factor authentication"
            className="divide-y divide-line rounded-lg border border-line bg-surface outline-none"
          >
            <Row
              title={
                <>
                  Authenticator app
                  {addedAt !== null && <Badge>On</Badge>}
                </>
              }
              action={
                addedAt === null ? (
                  <Button variant="secondary" size="sm" busy={busy} onClick={startApp}>
                    Set up
                  </Button>
                ) : (
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label="Remove the authenticator app"
                    busy={busy}
                    onClick={() => ask(removal("the authenticator app", () => call(secondFactor.removeTotp)))}
                  >
                    Remove
                  </Button>
                )
              }
            >
              {addedAt === null ? "After your password, enter a code from your phone." : `Added ${formatDate(addedAt)}`}
            </Row>
            <Row
              title="Passkeys"
              action={
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label="Add a passkey"
                  onClick={() => setOpen({ what: "passkey" })}
                >
                  Add
                </Button>
              }
              below={
                passkeys.length > 0 && (
                  <ul aria-label="Passkeys" className="mt-3 ml-5 divide-y divide-line border-t border-line">
                    {passkeys.map(({ id, name, added_at: since, last_used_at: used }) => (
                      <Row
                        key={id}
                        isNested
                        title={name}
                        action={
                          <Button
                            variant="secondary"
                            size="sm"
                            aria-label={`Remove passkey ${name}`}
                            busy={busy}
                            onClick={() => ask(removal(name, () => call(secondFactor.removePasskey, { id })))}
                          >
                            Remove
                          </Button>
                        }
                      >
                        <span className="max-sm:block">Added {formatDate(since)}</span>
                        {used !== null && (
                          <span className="max-sm:block">
                            <span className="max-sm:hidden"> · </span>Last used {formatDate(used)}
                          </span>
                        )}
                      </Row>
                    ))}
                  </ul>
                )
              }
            >
              After your password, use your fingerprint, face, device PIN, or a security key.
            </Row>
            {(addedAt !== null || passkeys.length > 0) && (
              <Row
                title="Recovery codes"
                action={
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label="Replace the recovery codes"
                    busy={busy}
                    onClick={() => ask(replacement)}
                  >
                    Replace
                  </Button>
                }
              >
                {left} of {RECOVERY_CODES} left. Each one works once.
              </Row>
            )}
          </ul>
          <Dialog open={open?.what === "app"} onOpenChange={() => setOpen(null)} title="Set up an authenticator app">
            {open?.what === "app" && <TotpForm {...open} onAdded={(codes) => added("Authenticator app", codes)} />}
          </Dialog>
          <Dialog
            open={open?.what === "passkey"}
            onOpenChange={() => setOpen(null)}
            size="sm"
            title="Add a passkey"
            description="A second step after your password, with your fingerprint, face, device PIN, or a security key."
          >
            <PasskeyForm onAdded={(codes) => added("Passkey", codes)} />
          </Dialog>
          <Dialog
            open={open?.what === "codes"}
            onOpenChange={() => setOpen(null)}
            dismissible={false}
            title="Save your recovery codes"
            description="Each code works once if you lose your phone or passkey. Save them in your password manager; you won’t see them again."
            actions={<Button onClick={() => setOpen(null)}>I’ve saved them</Button>}
          >
            {open?.what === "codes" && <RecoveryCodes codes={open.codes} />}
          </Dialog>
          <AlertDialog
            open={open?.what === "question"}
            onOpenChange={() => setOpen(null)}
            title={open?.what === "question" ? open.question.title : ""}
            description={open?.what === "question" ? open.question.text : ""}
            cancel={<Button variant="secondary">Cancel</Button>}
            actions={
              open?.what === "question" && (
                <Button variant="danger" onClick={() => answerYes(open.question)}>
                  {open.question.button}
                </Button>
              )
            }
          />
        </>
      )}
    </QueryState>
  );
}
