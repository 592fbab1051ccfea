import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { ModeSwitch } from "../../../components/dashboard/mode-switch.tsx";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { StatCards } from "../../../components/dashboard/stat-cards.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useMode } from "../../../lib/mode.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { useDraft } from "../../../lib/session/draft.ts";
import { noticeIn } from "../../auth/arrival.ts";
import { GenerateForm, obstacleTo } from "./generate-form.tsx";
import { KeyList } from "./key-list.tsx";
import { useGenerate } from "./new-key.ts";
import { RevealDialog } from "./reveal-dialog.tsx";
import { TryCard } from "./try-card.tsx";

export const meta = () =>
  accountPageMeta("API Keys", "/dashboard", "Generate, try and revoke the API keys of your account.");

/** What is known: undefined while it is read, null where it could not be. */
function known<T>({ data, isError }: { data: T | undefined; isError: boolean }): T | undefined | null {
  return data ?? (isError ? null : undefined);
}

export default function Keys() {
  const mode = useMode();
  const draft = useDraft("api-key.name");
  const { created, forget, ...action } = useGenerate(() => draft[1](""));
  const subscription = known(useQuery(queries.subscription));
  const keys = known(useQuery(queries.keys));
  const { state } = useLocation();
  // Only for those who have something to revoke.
  const notice = keys && keys.keys.length > 0 ? noticeIn(state) : null;

  return (
    <>
      <PageHeading
        title="API Keys"
        description="Your programs call the API with a key. Test keys answer from the sandbox, live keys from the numbering plans."
        // On wider screens it is beside the page.
        actions={<ModeSwitch className="lg:hidden" />}
      />
      {notice && (
        <div className="mb-8">
          <Notice kind={notice.kind}>{notice.notice}</Notice>
        </div>
      )}
      <StatCards />
      <div className="grid gap-8">
        <GenerateForm
          mode={mode}
          obstacle={obstacleTo({ mode, subscription, keys: keys && keys.keys })}
          draft={draft}
          action={action}
        />
        <KeyList mode={mode} />
        <TryCard />
      </div>
      {created && <RevealDialog key={created.id} created={created} onClose={forget} />}
    </>
  );
}
