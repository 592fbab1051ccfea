import { Fragment } from "react";
import type { ReactNode } from "react";

/** A text that may break where `after` matches, by default after its underscores, rather than anywhere. */
export function breakable(text: string, after = /(?<=_)/): ReactNode {
  return text.split(after).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
