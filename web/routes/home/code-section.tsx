import { ORIGIN } from "../../../contract/origin.ts";
import { SDK_ENVIRONMENT } from "../../../contract/sdks.ts";
import { LanguageTabs } from "../../components/site/language-tabs.tsx";
import { CodeBlock } from "../../components/ui/code-block.tsx";
import { ANSWER, LANDING_SAMPLES } from "../../content/samples/landing-samples.ts";
import type { LandingSample } from "../../content/samples/landing-samples.ts";
import { useOrigin } from "../../lib/origin.ts";
import { SectionHeading } from "./section-heading.tsx";

/**
 * Without a script the tabs do nothing, so every panel shows, under its language's name. The layer is the first of Tailwind's: its
 * own rule for `[hidden]` is important, and of two important rules the one in the earlier layer wins.
 */
const WITHOUT_SCRIPT =
  "@layer theme{[data-samples] [hidden]{display:block!important}[data-samples] [role=tablist]{display:none!important}}";

/** One call in eight languages, and beside it the response. */
export function CodeSection() {
  return (
    <section id="code" aria-labelledby="code-title" className="border-t border-line bg-sunken">
      <noscript>
        <style>{WITHOUT_SCRIPT}</style>
      </noscript>
      <div className="page-width py-20 md:py-28">
        <SectionHeading id="code-title" title="Get started in Minutes">
          One POST with your key, or an official SDK that brings nothing else along. The tests run every one of these
          samples.
        </SectionHeading>
        <div data-samples className="mt-12 grid gap-x-5 gap-y-10 xl:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
          <Requests />
          <Answer />
        </div>
      </div>
    </section>
  );
}

/** The SDKs call the service of contract/origin.ts unless they are told of another. */
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
              className="mt-4"
            />
          </>
        );
      }}
    </LanguageTabs>
  );
}

/** Starts level with the samples, and stays in view beside the longer ones. */
function Answer() {
  return (
    <div className="min-w-0">
      <div className="xl:sticky xl:top-20">
        <h3 className="flex min-h-10 items-center text-base font-normal tracking-normal text-muted shadow-[inset_0_-1px_0_var(--line)] pointer-coarse:min-h-11">
          Answer
        </h3>
        <CodeBlock title="200 OK" label="Answer in JSON" html={ANSWER.html} code={ANSWER.text} className="mt-5" />
      </div>
    </div>
  );
}
