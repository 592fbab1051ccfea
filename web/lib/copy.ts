import { toast } from "./toast.ts";

/** The legacy way, for pages without the clipboard API (plain HTTP) or without its permission. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.setAttribute("aria-hidden", "true");
  // Not too small, or iOS would zoom in on it.
  area.style.cssText = "position:fixed;inset:0 auto auto 0;width:1px;height:1px;opacity:0;font-size:16px";
  // Within an open dialog, which would steal the focus back from anywhere else.
  (focused?.closest("[role$=dialog]") ?? document.body).append(area);
  try {
    area.focus({ preventScroll: true });
    area.setSelectionRange(0, text.length);
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}

/**
 * Puts a text on the clipboard. Call it from a click, or browsers reject it.
 *
 * @returns whether it is really there
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/**
 * Copies a text and reports the outcome: "Copied" only when it is on the clipboard.
 *
 * @returns whether it is there
 */
export async function copyAndTell(text: string): Promise<boolean> {
  const copied = await copyText(text);
  if (copied) toast.copied();
  else toast.error("Couldn’t copy", "Select the text and copy it manually.");
  return copied;
}
