import { useId, useState } from "react";
import { ORIGIN } from "../../../contract/origin.ts";
import { SDK_ENVIRONMENT } from "../../../contract/sdks.ts";
import { LanguageTabs } from "../../components/site/language-tabs.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CodeBlock } from "../../components/ui/code-block.tsx";
import { RESPONSE, LANDING_SAMPLES } from "./landing-samples.ts";
import type { LandingSample } from "./landing-samples.ts";
import { useOrigin } from "../../lib/origin.ts";
import { Section } from "./section.tsx";

/** One call in eight languages, with the response beside it. */
export function CodeSection() {
  return (
    <Section
      id="code"
      isSunken
      title="Get started in Minutes"
      lead="One POST with your key, or a zero-dependency SDK. Every sample here runs in our test suite."
    >
      <div data-samples className="grid gap-x-5 gap-y-8 xl:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
        <Requests />
        <Answer />
      </div>
    </Section>
  );
}

/** The SDKs call the service of contract/origin.ts unless another is configured. */
function commands({ install, run }: LandingSample, origin: string): string {
  const lines = [install?.replaceAll(ORIGIN, origin), `export ${SDK_ENVIRONMENT.apiKey}=ch_test_…`];
  if (install !== null && origin !== ORIGIN) lines.push(`export ${SDK_ENVIRONMENT.baseUrl}=${origin}`);
  return [...lines, run].filter((line) => line !== undefined).join("\n");
}

function Requests() {
  const origin = useOrigin();
  return (
    <LanguageTabs label="Language" className="flex min-w-0 flex-col" panelClassName="flex flex-col">
      {({ id, label }) => {
        const sample = LANDING_SAMPLES[id];
        const { html, text, file } = sample;
        return (
          <>
            <h3 hidden className="mb-2 text-lg">
              {label}
            </h3>
            <CodeBlock
              title={file}
              label={`Request in ${label}`}
              html={html.replaceAll(ORIGIN, origin)}
              code={text.replaceAll(ORIGIN, origin)}
            />
            <CodeBlock
              title={sample.install === null ? "Run it" : "Install and run it"}
              label={`Commands for ${label}`}
              code={commands(sample, origin)}
              wrap
              className="mt-4"
            />
          </>
        );
      }}
    </LanguageTabs>
  );
}

const FIELDS = Object.keys(JSON.parse(RESPONSE.text) as object).length;

/**
 * Starts level with the samples, and stays visible beside the longer ones. Collapsed to its first lines until expanded.
 */
function Answer() {
  const [isWhole, setIsWhole] = useState(false);
  const id = useId();
  return (
    <div className="min-w-0">
      <div
        className={
          isWhole
            ? "xl:sticky xl:top-20"
            : "xl:grid xl:h-0 xl:min-h-full xl:grid-cols-[minmax(0,1fr)] xl:grid-rows-[auto_minmax(0,1fr)]"
        }
      >
        <h3 className="flex min-h-10 items-center text-base font-normal tracking-normal text-muted shadow-[inset_0_-1px_0_var(--line)] pointer-coarse:min-h-11">
          Response
        </h3>
        <div
          id={id}
          data-folded={!isWhole || undefined}
          className="relative mt-5 rounded-md data-folded:max-h-56 data-folded:overflow-clip xl:data-folded:max-h-none"
        >
          <CodeBlock title="200 OK" label="Response in JSON" html={RESPONSE.html} code={RESPONSE.text} />
          {!isWhole && (
            <div
              data-needs-script
              className="absolute inset-x-0 bottom-0 flex justify-center rounded-b-md border border-t-0 border-line bg-linear-to-t from-surface from-50% to-transparent pt-14 pb-4"
            >
              <Button variant="secondary" size="sm" aria-controls={id} onClick={() => setIsWhole(true)}>
                Show all {FIELDS} fields
              </Button>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
