import { useEffect, useId, useRef, useState } from "react";
import type { ComponentProps, KeyboardEvent, MouseEvent, ReactNode, ToggleEvent } from "react";
import { clsx } from "clsx";
import { follow } from "../../lib/anchor.ts";
import { destination } from "../../lib/arrow-keys.ts";
import { buttonClass } from "./button.tsx";
import { SiteLink } from "./link.tsx";
import type { SiteLinkProps } from "./link.tsx";

export interface MenuProps {
  /** Names the menu, and the trigger too where `trigger` has no words of its own (then set `nameTrigger`). */
  label: string;
  /** What stands in the trigger button. */
  trigger: ReactNode;
  /** Gives the trigger `label` as its accessible name, for a trigger that is an icon. */
  nameTrigger?: boolean | undefined;
  /** The trigger's classes in place of a quiet button's. */
  triggerClassName?: string | undefined;
  /** The edge of the trigger the menu keeps to. */
  align?: "start" | "end" | undefined;
  /** `MenuLink`, `MenuAction`, `MenuHeading`, `MenuSeparator`. */
  children: ReactNode;
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)')];
}

/**
 * A button that opens a menu of links and actions: arrow keys, Home, End, first letters, Escape, a press outside. It is the browser's
 * own popover, so the page neither locks nor moves, nothing clips it, and it opens before (and without) the script.
 */
export function Menu({ label, trigger, nameTrigger, triggerClassName, align = "end", children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const arrival = useRef<"menu" | "first" | "last">("menu");
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (!open || !button.current || !menu.current) return;
    return follow(button.current, menu.current, { side: "bottom", align, gap: 6 });
  }, [open, align]);

  function arrive() {
    if (!button.current || !menu.current?.matches(":popover-open")) return;
    // At its place before the first paint and before the focus comes, or the page would scroll to it.
    follow(button.current, menu.current, { side: "bottom", align, gap: 6 })();
    const items = itemsOf(menu.current);
    const target = { menu: menu.current, first: items[0], last: items.at(-1) }[arrival.current];
    (target ?? menu.current).focus({ preventScroll: true });
    arrival.current = "menu";
  }

  function beforeToggle(event: ToggleEvent) {
    if (event.newState === "open") requestAnimationFrame(arrive);
  }

  function keyOnButton(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    arrival.current = event.key === "ArrowDown" ? "first" : "last";
    menu.current?.showPopover();
  }

  function keyInMenu(event: KeyboardEvent<HTMLDivElement>) {
    const items = itemsOf(event.currentTarget);
    const at = items.findIndex((item) => item === document.activeElement);
    const next = destination("vertical", event.key, at, items.length);
    if (next !== undefined) {
      event.preventDefault();
      items[next]?.focus();
    } else if (event.key === "Tab") {
      // Gives the focus back to the button first; the browser then goes on from there.
      event.currentTarget.hidePopover();
    } else if (event.key === " " && at >= 0) {
      event.preventDefault();
      items[at]?.click();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const letter = event.key.toLowerCase();
      const inTurn = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      inTurn.find((item) => item.textContent.trim().toLowerCase().startsWith(letter))?.focus();
    }
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={nameTrigger ? label : undefined}
        className={triggerClassName ?? clsx(buttonClass({ variant: "quiet" }), "aria-expanded:bg-sunken")}
        onKeyDown={keyOnButton}
        onClick={(event) => {
          // A press of Enter or Space comes as a click without a pointer.
          if (event.detail === 0) arrival.current = "first";
        }}
      >
        {trigger}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onBeforeToggle={beforeToggle}
        onToggle={(event) => setOpen(event.newState === "open")}
        onKeyDown={keyInMenu}
        className={clsx(
          "m-auto max-h-[min(32rem,calc(100dvh-2rem))] max-w-[calc(100vw-1rem)] min-w-48 overflow-y-auto overscroll-contain",
          "rounded-md border border-line bg-surface p-1 text-left text-base font-normal text-ink shadow-float outline-none",
          "transition-opacity duration-(--duration-quick) starting:open:opacity-0",
        )}
      >
        {children}
      </div>
    </>
  );
}

const ITEM = clsx(
  "flex min-h-9 w-full items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-left text-soft pointer-coarse:min-h-11",
  "transition-colors duration-(--duration-quick) hover:bg-sunken hover:text-ink focus:bg-sunken focus:text-ink",
  "focus-visible:-outline-offset-2 disabled:cursor-not-allowed disabled:opacity-45",
);

function closeAround(event: MouseEvent<HTMLElement>) {
  event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
}

/** A menu item that leads somewhere: a real link, opened through the router where it is a page. */
export function MenuLink({ className, onClick, ...rest }: SiteLinkProps) {
  return (
    <SiteLink
      {...rest}
      role="menuitem"
      tabIndex={-1}
      className={clsx(ITEM, "aria-[current=page]:font-medium aria-[current=page]:text-ink", className)}
      onClick={(event) => {
        closeAround(event);
        onClick?.(event);
      }}
    />
  );
}

export type MenuActionProps = Omit<ComponentProps<"button">, "onClick" | "onSelect" | "type"> & {
  /** Called after the menu has closed. */
  onSelect: () => void;
  /** It destroys something. */
  danger?: boolean | undefined;
};

/** A menu item that does something. */
export function MenuAction({ onSelect, danger, className, ...rest }: MenuActionProps) {
  return (
    <button
      {...rest}
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={clsx(ITEM, danger && "text-invalid! hover:bg-invalid-wash focus:bg-invalid-wash", className)}
      onClick={(event) => {
        closeAround(event);
        onSelect();
      }}
    />
  );
}

/** Words above a group of items. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <div role="presentation" className="label px-2.5 pt-2 pb-1">
      {children}
    </div>
  );
}

/** A hairline between groups. */
export function MenuSeparator() {
  return <hr className="-mx-1 my-1 border-line" />;
}
