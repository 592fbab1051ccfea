import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { is } from "valibot";
import { Checklist, useProgress } from "../../../components/dashboard/checklist.tsx";
import { ModeSwitch } from "../../../components/dashboard/mode-switch.tsx";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { PageSkeleton } from "../../../components/dashboard/page-skeleton.tsx";
import { StatCards } from "../../../components/dashboard/stat-cards.tsx";
import { QuotaNotice, SubscriptionWarning } from "../../../components/dashboard/subscription-warning.tsx";
import { Loading } from "../../../components/ui/skeleton.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../components/ui/tabs.tsx";
import { chooseMode, useMode } from "../../../lib/mode.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { useDraft } from "../../../lib/session/draft.ts";
import { useAction } from "../../../lib/use-action.ts";
import { GenerateKey, ReviewKeys, TryNumber } from "../../auth/location-state.ts";
import { GenerateForm } from "./generate-form.tsx";
import { HomeStrip } from "./home-strip.tsx";
import { KeyList } from "./key-list.tsx";
import { LastCalls } from "./last-calls.tsx";
import { newKey, problemOf, useGenerate } from "./new-key.ts";
import { RevealDialog } from "./reveal-dialog.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { TryCard } from "./try-card.tsx";

export const meta = () => accountPageMeta("API Keys", "/dashboard", "Generate, try, and revoke your API keys.");

/**
 * The data: undefined while it first loads, null once that failed. `isError` is false while a failed query is retried:
 * waiting for that would hide the notice whose button retries.
 */
function known<T>({ data, errorUpdateCount }: { data: T | undefined; errorUpdateCount: number }): T | undefined | null {
  return data ?? (errorUpdateCount > 0 ? null : undefined);
}

export default function Keys() {
  const mode = useMode();
  const draft = useDraft("api-key");
  const [typed, writeDraft] = draft;
  // What was typed before the session ended is still there.
  const [isOpen, setOpen] = useState(typed !== "");
  const generate = useGenerate(() => {
    writeDraft("");
    setOpen(false);
  });
  const first = useAction(problemOf);
  const created = newKey.use();
  const { state, hash, key: visit } = useLocation();
  const [tab, setTab] = useState("keys");
  const [tried, setTried] = useState<{ readonly number: string; readonly visit: string }>();
  const [seen, setSeen] = useState<string>();
  // Links and the search lead here from this page too.
  if (seen !== visit) {
    setSeen(visit);
    if (hash === "#try") setTab("try");
    if (is(TryNumber, state)) setTried({ number: state.tryNumber, visit });
    if (is(GenerateKey, state)) {
      setTab("keys");
      setOpen(true);
    }
  }
  const navigate = useNavigate();
  const isAsked = is(TryNumber, state) || is(GenerateKey, state);
  useEffect(() => {
    // A reload doesn't ask again, and the browser keeps no number.
    if (isAsked) void navigate({ hash }, { replace: true, state: null });
  }, [isAsked, navigate, hash]);
  const subscription = known(useQuery(queries.subscription));
  const keys = known(useQuery(queries.keys));
  const progress = useProgress();
  // Nothing to show yet: figures and keys wait for the trial.
  const isNew = subscription?.status === "none" && keys?.keys.length === 0;
  // Then its steps are all there is to do, including the warning.
  const isOnlySteps = isNew && progress.done !== null;

  const isWaiting = keys?.keys.every((key) => key.last_used_at === null) && progress.done === undefined;
  const isKnown = subscription !== undefined && keys !== undefined && !isWaiting;
  // Deferred, so that React draws the page in small steps that a press can come between.
  const isShown = useDeferredValue(isKnown);

  function generateFirst() {
    chooseMode("test");
    first.run(() => generate({ mode: "test" }, true));
  }
  function generateLive() {
    chooseMode("live");
    setTab("keys");
    setOpen(true);
  }
  function close() {
    newKey.set(null);
    // The form with the button that had focus is closed.
    document.querySelector<HTMLElement>("[data-generate]")?.focus({ preventScroll: true });
  }
  function openTry() {
    setTab("try");
    document.querySelector<HTMLElement>("[data-tab=try]")?.focus();
  }

  return (
    <>
      <PageHeading
        // On wider screens it is beside the page.
        actions={<ModeSwitch className="2xl:hidden" />}
      />
      {!isKnown || !isShown ? (
        <Loading label="Loading your keys">
          <PageSkeleton section="" />
        </Loading>
      ) : (
        <>
          {!isOnlySteps && <SubscriptionWarning className="mb-8" />}
          {mode === "live" && <QuotaNotice className="mb-8" />}
          <Checklist
            progress={progress}
            busy={first.busy}
            problem={first.problem}
            onGenerate={generateFirst}
            onTry={openTry}
            onLive={generateLive}
            isTrying={tab === "try"}
          />
          {/* If the keys can't be read, that notice is enough. */}
          {keys !== null && (
            <>
              <StatCards />
              <HomeStrip />
            </>
          )}
          <Tabs value={tab} onValueChange={setTab}>
            <TabList label="Keys">
              <Tab value="keys">Keys</Tab>
              <Tab value="try">Try it</Tab>
            </TabList>
            <TabPanel value="keys" className="grid gap-8">
              {isOnlySteps ? (
                <p className="text-soft">No keys yet. Start the free trial above, then generate one.</p>
              ) : (
                <KeyList
                  mode={mode}
                  isSecond={progress.next === "key" || progress.next === "call"}
                  isOpen={isOpen}
                  onOpen={setOpen}
                >
                  <GenerateForm mode={mode} draft={draft} onGenerate={generate} />
                </KeyList>
              )}
              <LastCalls />
            </TabPanel>
            <TabPanel value="try">
              <TryCard key={tried?.visit} first={tried?.number} />
            </TabPanel>
          </Tabs>
        </>
      )}
      {/* Without the state, a reload doesn't ask again. */}
      {is(ReviewKeys, state) && <ReviewDialog onClose={() => void navigate(".", { replace: true, state: null })} />}
      {created && <RevealDialog key={created.id} created={created} onClose={close} />}
    </>
  );
}
