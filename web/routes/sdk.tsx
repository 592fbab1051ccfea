import { Link, useLoaderData, useLocation } from "react-router";
import sources from "virtual:sdk-sources";
import { ORIGIN } from "../../contract/origin.ts";
import { SDK_PACKAGES, SDK_VERSION, sdkPath } from "../../contract/sdks.ts";
import type { Sdk } from "../../contract/sdks.ts";
import { FactList } from "../components/site/fact-list.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { TextPage } from "../components/site/text-page.tsx";
import { CodeBlock } from "../components/ui/code-block.tsx";
import { useOrigin } from "../lib/origin.ts";
import { pageMeta } from "../lib/page-meta.ts";
import type { SdkSource } from "../plugins/sdk-sources.ts";

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
    description: `The official SDK for ${label}: its package, how to install it, and every file of its source.`,
    path: sdkPath(id),
  });
}

function Install({ sdk }: { sdk: Sdk }) {
  const command = sdk.install.replaceAll(ORIGIN, useOrigin());
  return (
    <>
      <p>Needs {sdk.requires} and nothing else: zero dependencies.</p>
      <CodeBlock code={command} label="Install command" wrap />
      <p>
        See <Link to={`/docs/sdks#${sdk.id}`}>the documentation</Link> for usage.
      </p>
    </>
  );
}

function Package({ sdk, source }: { sdk: Sdk; source: SdkSource }) {
  const name = sdk.file.slice(sdk.file.lastIndexOf("/") + 1);
  return (
    <FactList
      facts={[
        [
          "File",
          <a key="file" href={`/sdks/${sdk.file}`}>
            {name}
          </a>,
        ],
        ["Version", SDK_VERSION],
        ["Size", `${source.bytes.toLocaleString("en-US")} bytes`],
        ["SHA-256", <code key="sha256">{source.sha256}</code>],
        [sdk.registry.name, `${sdk.registry.package} is its name there. Not published yet.`],
        ["License", "MIT"],
      ]}
    />
  );
}

function Files({ sdk, source }: { sdk: Sdk; source: SdkSource }) {
  return (
    <ul className="list-none pl-0 font-mono text-sm">
      {source.files.map((file) => (
        <li key={file} className="py-0.5">
          <a
            href={`/sdks/source/${sdk.id}/${file}`}
            className="wrap-anywhere underline decoration-line underline-offset-4 hover:decoration-ink"
          >
            {file}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** One SDK: how to install it, the package, and its sources. */
export default function SdkPage() {
  const source = useLoaderData<SdkSource>();
  const sdk = sdkAt(useLocation().pathname);
  return (
    <SiteFrame>
      <TextPage
        title={`Checkline for ${sdk.label}`}
        lead={`The official SDK for ${sdk.label}. Built from the files below and tested by the conformance suite that all seven share.`}
        sections={[
          { title: "Install", body: <Install sdk={sdk} /> },
          { title: "Package", body: <Package sdk={sdk} source={source} /> },
          { title: "Source", body: <Files sdk={sdk} source={source} /> },
        ]}
      />
    </SiteFrame>
  );
}
