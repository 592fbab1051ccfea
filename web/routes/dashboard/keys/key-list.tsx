import { useId, useState } from "react";
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import ChevronDown from "lucide-react/icons/chevron-down";
import type { ListedKey } from "../../../../contract/keys.ts";
import { MAX_ACTIVE_KEYS } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { formatCount } from "../../../../contract/format.ts";
import { chooseMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { KeyTable } from "./key-table.tsx";
import type { KeyActions } from "./key-table.tsx";
import { ManageDialog } from "./manage-dialog.tsx";
import { useObstacle } from "./obstacle.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import type { Target } from "./revoke-dialog.tsx";

const TITLES: Record<KeyMode, string> = { test: "Test keys", live: "Live keys" };
const TITLE_ID = "keys-title";
const OTHER: Record<KeyMode, KeyMode> = { test: "live", live: "test" };

interface KeyListProps {
  readonly mode: KeyMode;
  /** The page has another, primary button. */
  readonly isSecond: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
  /** The form for another key, shown while open. */
  readonly children: ReactNode;
}

/** The active keys of the selected mode, a form for another, and how many keys the other mode has. */
export function KeyList({ mode, isSecond, isOpen, onOpen, children }: KeyListProps) {
  const id = useId();
  // The page has just read the list: another attempt would hide why that failed.
  const query = useQuery({ ...queries.keys, retryOnMount: false });
  const count = query.data?.keys.filter((key) => key.mode === mode && key.state === "active").length ?? 0;
  const obstacle = useObstacle(mode, count);
  const why = obstacle === null ? undefined : `${id}-why`;
  const isFormShown = isOpen && obstacle === null;

  return (
    <section aria-labelledby={TITLE_ID}>
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {/* Gets focus when the focused row is gone. */}
        <h2 id={TITLE_ID} tabIndex={-1} className="text-base text-ink outline-none">
          {TITLES[mode]}{" "}
          {query.data && (
            <span className="ml-1.5 text-sm font-normal tracking-normal text-muted tabular-nums">
              {count} of {MAX_ACTIVE_KEYS} active
            </span>
          )}
        </h2>
        <Button
          data-generate=""
          variant={isSecond || isFormShown ? "secondary" : "primary"}
          size="sm"
          disabled={obstacle !== null}
          aria-expanded={isFormShown}
          aria-controls={isFormShown ? id : undefined}
          aria-describedby={why}
          onClick={() => onOpen(!isOpen)}
        >
          {isFormShown ? "Cancel" : "Generate key"}
        </Button>
      </div>
      {obstacle !== null && (
        <p id={why} className="mb-3 text-sm text-soft">
          {obstacle}
        </p>
      )}
      {isFormShown && (
        <div id={id} className="mb-6">
          {children}
        </div>
      )}
      <QueryState query={query} what="your keys" rows={2}>
        {({ keys }) => <Shown mode={mode} keys={keys} isBarred={obstacle !== null} />}
      </QueryState>
    </section>
  );
}

interface ShownProps {
  readonly mode: KeyMode;
  readonly isBarred: boolean;
  readonly keys: readonly ListedKey[];
}

function Shown({ mode, isBarred, keys }: ShownProps) {
  const [target, setTarget] = useState<Target | null>(null);
  const [managed, setManaged] = useState<ListedKey | null>(null);
  const actions: KeyActions = { onRevoke: (key) => setTarget({ mode, key }), onManage: setManaged };
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const own = keys.filter((key) => key.mode === mode);
  const working = own.filter(({ state }) => state !== "expired");
  const expired = own.filter(({ state }) => state === "expired");
  const others = keys.length - own.length;
  return (
    <>
      {working.length > 0 ? (
        <KeyTable caption={TITLES[mode]} keys={working} {...actions} />
      ) : (
        <Empty mode={mode} isBarred={isBarred} hadSome={expired.length > 0} />
      )}
      {expired.length > 0 && (
        <>
          <Button
            variant="quiet"
            size="sm"
            className="mt-2 -ml-3 text-muted hover:text-ink"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronDown aria-hidden="true" className={clsx("size-4", !isOpen && "-rotate-90")} strokeWidth={1.5} />
            {isOpen ? "Hide" : "Show"} {formatCount(expired.length, "expired key")}
          </Button>
          {/* On paper, all of them. */}
          <div id={id} className={clsx("mt-2", !isOpen && "hidden print:block")}>
            <KeyTable caption={`Expired ${mode} keys`} keys={expired} {...actions} />
          </div>
        </>
      )}
      {others > 0 && (
        <p className="mt-3 text-sm text-muted">
          {`You also have ${formatCount(others, `${OTHER[mode]} key`)}. `}
          <button type="button" className="text-link text-ink" onClick={() => chooseMode(OTHER[mode])}>
            Show {OTHER[mode]} keys
          </button>
        </p>
      )}
      {/* Away from the button that generates. */}
      {working.length > 1 && (
        <Button
          variant="quiet"
          size="sm"
          className="mt-2 -ml-3 text-invalid!"
          onClick={() => setTarget({ mode, count: working.length })}
        >
          Revoke all
        </Button>
      )}
      {target && (
        <RevokeDialog
          target={target}
          onClose={() => setTarget(null)}
          onRevoked={() => document.getElementById(TITLE_ID)?.focus()}
        />
      )}
      {managed && (
        <ManageDialog
          key={managed.id}
          apiKey={managed}
          onClose={() => setManaged(null)}
          onRevoke={() => {
            setManaged(null);
            actions.onRevoke(managed);
          }}
        />
      )}
    </>
  );
}

/** What to do without a key. If none can be generated, a line above says why. */
function Empty({ mode, isBarred, hadSome }: { mode: KeyMode; isBarred: boolean; hadSome: boolean }) {
  const next = {
    test: "Generate one to get sandbox responses for testing.",
    live: "Generate one once your integration works with a test key.",
  };
  return (
    <p className="text-soft">
      No {hadSome && "active "}
      {mode} keys{!hadSome && " yet"}. {!isBarred && (hadSome ? "Generate one." : next[mode])}
    </p>
  );
}
