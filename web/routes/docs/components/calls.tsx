import ChevronDown from "lucide-react/icons/chevron-down";
import { Children, use } from "react";
import type { ReactNode } from "react";
import { Badge } from "../../../components/ui/badge.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { chooseLanguage, LANGUAGES, parseLanguage, SDKS, useLanguage } from "../../../lib/language.ts";
import type { LanguageId } from "../../../lib/language.ts";
import { useOrigin } from "../../../lib/origin.ts";
import { CodeFrame } from "./elements.tsx";

interface CallProps {
  readonly method: string;
  readonly path: string;
}

/** The bar above an operation: its method and path, to copy. */
export function Call({ method, path }: CallProps) {
  const origin = useOrigin();
  return (
    <div className="doc-call flex min-h-12 items-center gap-3 rounded-md border border-line bg-surface py-1.5 pr-2 pl-3">
      <Badge tone="live">{method.toUpperCase()}</Badge>
      <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere text-ink">{path}</span>
      <CopyButton text={`${origin}${path}`} label="Copy URL" />
    </div>
  );
}

/** The samples' order: curl, then the SDKs'. */
const ORDER: readonly LanguageId[] = ["rest", ...SDKS.map(({ language }) => language)];

function LanguageMenu() {
  const language = useLanguage();
  return (
    <div className="relative" data-needs-script>
      <select
        aria-label="Language"
        value={language}
        onChange={({ currentTarget }) => {
          const chosen = parseLanguage(currentTarget.value);
          if (chosen !== null) chooseLanguage(chosen);
        }}
        className="min-h-8 cursor-pointer appearance-none rounded-sm border border-line bg-surface pr-7 pl-2.5 font-sans text-sm text-soft hover:border-edge hover:text-ink pointer-coarse:min-h-11"
      >
        {ORDER.map((id) => (
          <option key={id} value={id}>
            {id === "rest" ? "curl" : LANGUAGES.find((each) => each.id === id)?.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        strokeWidth={1.5}
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-muted"
      />
    </div>
  );
}

/** One call in the visitor's language. The build adds the languages after the page's own fence, which is curl. */
export function Calls({ children }: { of: string; children: ReactNode }) {
  const language = useLanguage();
  const fences = Children.toArray(children);
  const { end, adapt } = use(CodeFrame);
  const bar = (
    <>
      <LanguageMenu />
      {end}
    </>
  );
  return <CodeFrame value={{ end: bar, adapt }}>{fences[ORDER.indexOf(language)] ?? fences[0]}</CodeFrame>;
}
