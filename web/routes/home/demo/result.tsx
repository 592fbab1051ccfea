import { clsx } from "clsx";
import { useId, useState } from "react";
import { ResultDrawing } from "../../../components/anatomy/result-drawing.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { CodeBlock } from "../../../components/ui/code-block.tsx";
import { fieldsHtml } from "../../../lib/json-html.ts";
import { shownJson } from "../../../plugins/shown-json.ts";
import type { ComponentProps, ReactNode } from "react";

/** Lights whatever shows the same field as `target`, in drawing and JSON; without a target, nothing. */
function light(within: HTMLElement, target?: EventTarget): void {
  const pointed = target instanceof Element ? target.closest<HTMLElement>("[data-field]") : null;
  for (const part of within.querySelectorAll<HTMLElement>("[data-field]")) {
    const isLit = pointed !== null && part.dataset["field"] === pointed.dataset["field"];
    part.toggleAttribute("data-lit", isLit);
    const code = part.closest("pre");
    // Not scrollIntoView, which would move the page too.
    if (isLit && code !== null && !code.contains(pointed)) code.scrollTop = part.offsetTop - code.clientHeight / 2;
  }
}

type ResultProps = Pick<ComponentProps<typeof ResultDrawing>, "result" | "typed" | "problem" | "took"> & {
  /** What else there is to say, under the drawing. */
  readonly children?: ReactNode;
};

/**
 * A result as a drawing and as JSON: side by side if there is room, otherwise the JSON folded below. What is pointed at
 * in one, or reached by the Tab key, lights up in the other.
 */
export function Result({ result, typed, problem, took, children }: ResultProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const json = shownJson(result);
  return (
    <div
      className="@container"
      onPointerOver={({ currentTarget, target }) => light(currentTarget, target)}
      onPointerLeave={({ currentTarget }) => light(currentTarget)}
      onFocus={({ currentTarget, target }) => light(currentTarget, target)}
      onBlur={({ currentTarget }) => light(currentTarget)}
    >
      <div className="@[56rem]:grid @[56rem]:min-h-76 @[56rem]:grid-cols-[minmax(0,8fr)_minmax(0,5fr)] @[56rem]:gap-x-10">
        <div className="min-w-0">
          <ResultDrawing {...{ result, typed, problem, took }} hasStops />
          {children}
        </div>
        <div className="relative mt-4 @[56rem]:mt-0">
          <Button
            variant="quiet"
            size="sm"
            data-needs-script
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
            className="-ml-3 text-soft! @[56rem]:hidden"
          >
            {isOpen ? "Hide the JSON" : "See the full JSON"}
          </Button>
          <div id={id} className={clsx("@[56rem]:absolute @[56rem]:inset-0 @[56rem]:block", !isOpen && "hidden")}>
            <CodeBlock
              label="Response as JSON"
              title="Response"
              html={fieldsHtml(json)}
              code={json}
              className="flex max-h-full flex-col [&>pre]:overflow-y-auto"
            />
          </div>
        </div>
      </div>
    </div>
  );
}
