import type { ComponentProps } from "react";

/** Text for those who listen to the page; not shown. */
export function VisuallyHidden(props: Omit<ComponentProps<"span">, "className">) {
  return <span {...props} className="sr-only" />;
}
