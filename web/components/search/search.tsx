import { clsx } from "clsx";
import SearchIcon from "lucide-react/icons/search";
import { useEffect, useState } from "react";
import type { ComponentType } from "react";
import { createStore } from "../../lib/store.ts";
import type { SearchDialogProps } from "./search-dialog.tsx";

/** Whether shortcuts here use Command. Prerendered pages show Ctrl until hydration. */
const apple = createStore(false, () => /Mac|iPhone|iPad/.test(navigator.platform));

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/** The dashboard's by the room in its header, which large letters take too. */
const LOOKS = {
  docs: "max-lg:size-11 max-lg:justify-center max-lg:border-transparent lg:w-64 lg:bg-surface lg:pr-2 lg:pl-3 max-lg:[&>span]:sr-only max-lg:[&>kbd]:hidden max-lg:[&>svg]:size-5",
  dashboard:
    "@max-[76rem]:size-11 @max-[76rem]:justify-center @max-[76rem]:border-transparent @min-[76rem]:w-56 @min-[76rem]:bg-surface @min-[76rem]:pr-2 @min-[76rem]:pl-3 @max-[76rem]:[&>span]:sr-only @max-[76rem]:[&>kbd]:hidden @max-[76rem]:[&>svg]:size-5",
} as const;

interface SearchProps extends Omit<SearchDialogProps, "open" | "onOpenChange"> {
  readonly place: keyof typeof LOOKS;
}

/** The search's button and keys. Dialog, index, and engine are loaded on first use. */
export function Search({ place, ...props }: SearchProps) {
  const [open, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<SearchDialogProps>>();
  const isApple = apple.use();

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isShortcut = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.shiftKey;
      const isSlash = event.key === "/" && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target);
      if (!isShortcut && !isSlash) return;
      event.preventDefault();
      setOpen((before) => isSlash || !before);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  useEffect(() => {
    if (!open || Dialog !== undefined) return;
    let left = false;
    async function load(): Promise<void> {
      try {
        const { SearchDialog } = await import("./search-dialog.tsx");
        if (!left) setDialog(() => SearchDialog);
      } catch {
        // The entry point says why.
        if (!left) setOpen(false);
      }
    }
    void load();
    return () => {
      left = true;
    };
  }, [open, Dialog]);

  return (
    <>
      <button
        type="button"
        data-needs-script
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={() => setOpen(true)}
        className={clsx(
          "inline-flex min-h-9 items-center gap-2 rounded-md border border-line text-sm text-muted transition-colors hover:border-edge hover:text-ink",
          LOOKS[place],
        )}
      >
        <SearchIcon aria-hidden="true" className="size-4" strokeWidth={1.5} />
        <span>{props.label}</span>
        <kbd aria-hidden="true" className="label ml-auto rounded-sm border border-line px-1.5 py-0.5">
          {isApple ? "⌘ K" : "Ctrl K"}
        </kbd>
      </button>
      {Dialog && <Dialog {...props} open={open} onOpenChange={setOpen} />}
    </>
  );
}
