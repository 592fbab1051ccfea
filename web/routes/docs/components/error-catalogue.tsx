import { Link } from "react-router";
import { Badge } from "../../../components/ui/badge.tsx";
import { Words } from "./words.tsx";
import type { DocError } from "../../../plugins/docs/data.ts";

/** Every error with an anchor of its own: what happened, and how to fix it. The build fills it in from the contract. */
export function ErrorCatalogue({ errors }: { errors: readonly DocError[] }) {
  return (
    <div className="doc-errors">
      {errors.map(({ code, id, status, message, fix }) => (
        <article key={code} aria-labelledby={id}>
          <h3 id={id}>
            <Link to={`#${id}`} className="font-mono hover:underline">
              {code}
            </Link>
            <Badge>{status}</Badge>
          </h3>
          <dl>
            <dt>What happened</dt>
            <dd>
              <Words text={message} />
            </dd>
            <dt>How to fix it</dt>
            <dd>
              <Words text={fix} />
            </dd>
          </dl>
        </article>
      ))}
    </div>
  );
}
