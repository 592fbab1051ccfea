import curl from "../../content/samples/verify.sh?sample";
import { ORIGIN } from "../../../contract/origin.ts";
import { ButtonLink } from "../ui/button.tsx";
import { TextLink } from "../ui/link.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { useOrigin } from "../../lib/origin.ts";

/** A request to paste into a terminal that has the key in a variable, with this site's origin. */
export function FirstCall() {
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
