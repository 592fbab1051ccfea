import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import curl from "../../content/samples/verify.sh?sample";
import { ORIGIN } from "../../../contract/origin.ts";
import { ButtonLink } from "../ui/button.tsx";
import { TextLink } from "../ui/link.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { useOrigin } from "../../lib/origin.ts";
import { queries } from "../../lib/queries.ts";
import { EmptyState } from "./empty-state.tsx";

/** A request to paste into a terminal that has the key in a variable, with this site's origin. */
function FirstCall() {
  const origin = useOrigin();
  return (
    <>
      <CodeBlock
        label="Request with curl"
        title="Terminal"
        code={curl.text.replaceAll(ORIGIN, origin)}
        html={curl.html.replaceAll(ORIGIN, origin)}
      />
      <p className="mt-3 text-sm text-muted">
        Set <code className="font-mono text-xs text-ink">CHECKLINE_API_KEY</code> to a key from{" "}
        <TextLink to="/dashboard">API Keys</TextLink>.
      </p>
    </>
  );
}

/** Leads to Try it. */
export function TryLink() {
  return (
    <ButtonLink to="/dashboard#try" variant="secondary">
      Try it
    </ButtonLink>
  );
}

interface NoCallsProps {
  readonly title: string;
  /** What the first call does here: "draws this chart". */
  readonly effect: string;
  readonly ghost: ReactNode;
}

/** An account that has verified nothing: the next step, and nothing that it can't do yet. */
export function NoCalls({ title, effect, ghost }: NoCallsProps) {
  const { data: subscription } = useQuery(queries.subscription);
  const { data: listed } = useQuery(queries.keys);
  const isActive = subscription?.status === "active";
  const hasKey = isActive && (listed?.keys.length ?? 0) > 0;
  const before = isActive ? "Generate a key" : subscription?.trial_available && "Start the trial";
  return (
    <EmptyState
      title={<h2>{title}</h2>}
      // The page's warning starts the trial.
      actions={
        hasKey ? (
          <TryLink />
        ) : (
          isActive && (
            <ButtonLink to="/dashboard" state={{ generateKey: true }}>
              Generate key
            </ButtonLink>
          )
        )
      }
      example={hasKey && <FirstCall />}
      ghost={ghost}
    >
      {!hasKey && before ? `${before}, then your first call ${effect}.` : `Your first call ${effect} within seconds.`}
    </EmptyState>
  );
}
