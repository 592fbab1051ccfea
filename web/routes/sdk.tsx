import { Link, useLoaderData, useLocation } from "react-router";
import sources from "virtual:sdk-sources";
import { ORIGIN } from "../../contract/origin.ts";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { SDK_PACKAGES, sdkPath } from "../../sdks/packages.ts";
import type { Sdk } from "../../sdks/packages.ts";
import { FactList } from "../components/site/fact-list.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { TextPage } from "../components/site/text-page.tsx";
import { Heading2 } from "./docs/components/elements.tsx";
import { CodeBlock } from "../components/ui/code-block.tsx";
import { Fold } from "../components/ui/fold.tsx";
import { useOrigin } from "../lib/origin.ts";
import { pageMeta } from "../lib/page-meta.ts";
import type { SdkSource } from "../plugins/sdk-sources.ts";
import { formatCount } from "../../contract/format.ts";

function sdkAt(pathname: string) {
  const sdk = SDK_PACKAGES.find(({ id }) => sdkPath(id) === pathname.replace(/\/$|\.data$/, ""));
  if (sdk === undefined) throw new Error(`${pathname} is no SDK's page`);
  return sdk;
}

/** Runs when the site is built; its result is in the page's HTML and data. */
export function loader({ request }: { request: Request }): SdkSource {
  return sources[sdkAt(new URL(request.url).pathname).id]!;
}

export function meta({ location }: { location: { pathname: string } }) {
  const { label, id } = sdkAt(location.pathname);
  return pageMeta({
    title: `Checkline for ${label}`,
    description: `The official SDK for ${label}: how to install it, an example, its package, and its full source.`,
    path: sdkPath(id),
  });
}

function Install({ sdk }: { sdk: Sdk }) {
  const command = sdk.install.replaceAll(ORIGIN, useOrigin());
  return (
    <>
      <p>It isn&rsquo;t on {sdk.registry.name} yet. Install it from this site:</p>
      <CodeBlock code={command} label="Install command" title="Terminal" wrap />
    </>
  );
}

function Package({ sdk, source }: { sdk: Sdk; source: SdkSource }) {
  const name = sdk.file.slice(sdk.file.lastIndexOf("/") + 1);
  return (
    <FactList
      facts={[
        ["Version", SDK_VERSION],
        ["Runs on", sdk.requires],
        ["Dependencies", "None"],
        ["Size", formatCount(source.bytes, "byte")],
        [
          "File",
          <a key="file" href={`/sdks/${sdk.file}`}>
            {name}
          </a>,
        ],
        [
          "SHA-256",
          <span key="sha256" className="font-mono text-sm">
            {source.sha256}
          </span>,
        ],
        [sdk.registry.name, `Not published yet. Its name will be ${sdk.registry.package}.`],
        ["License", "MIT"],
      ]}
    />
  );
}

/** The shortest program that verifies a number. */
function Example({ sdk, source }: { sdk: Sdk; source: SdkSource }) {
  return (
    <>
      <CodeBlock code={source.example.text} html={source.example.html} title={source.example.file} label="Example" />
      <p>
        See <Link to={`/docs/sdks#${sdk.id}`}>the documentation</Link> for errors, batches, and more.
      </p>
    </>
  );
}

function Files({ sdk, source }: { sdk: Sdk; source: SdkSource }) {
  return (
    <Fold title={`Show ${source.files.length} files`}>
      <ul className="list-none pb-4 pl-0! font-mono text-sm">
        {source.files.map((file) => (
          <li key={file} className="mt-0! py-0.5">
            <a
              href={`/sdks/source/${sdk.id}/${file}`}
              className="wrap-anywhere underline decoration-line underline-offset-4 hover:decoration-ink"
            >
              {file}
            </a>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

const HEADINGS = [
  { id: "package", text: "Package" },
  { id: "install", text: "Install" },
  { id: "example", text: "Example" },
  { id: "source", text: "Source" },
];

/** One SDK: how to install it, the package, and its sources. */
export default function SdkPage() {
  const source = useLoaderData<SdkSource>();
  const sdk = sdkAt(useLocation().pathname);
  return (
    <SiteFrame>
      <TextPage
        title={`Checkline for ${sdk.label}`}
        lead={`The official SDK for ${sdk.label}. Built from the files below and tested by the conformance suite that all seven share.`}
        headings={HEADINGS}
      >
        <Heading2 id="package">Package</Heading2>
        <Package sdk={sdk} source={source} />
        <Heading2 id="install">Install</Heading2>
        <Install sdk={sdk} />
        <Heading2 id="example">Example</Heading2>
        <Example sdk={sdk} source={source} />
        <Heading2 id="source">Source</Heading2>
        <Files sdk={sdk} source={source} />
      </TextPage>
    </SiteFrame>
  );
}
