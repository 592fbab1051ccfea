import { toast as sonner } from "sonner";

/** The id of the newest error. */
let lastError: string | undefined;

/** The id of the message that stays. */
let staying: string | undefined;

/** Short messages at the edge of the page, also announced. */
export const toast = {
  /** Closes the error before it. */
  success(title: string, description?: string): void {
    if (lastError !== undefined) sonner.dismiss(lastError);
    lastError = undefined;
    sonner.success(title, { description, duration: 4000 });
  },
  /** On a phone it is only read out over a dialog, which it would cover: there the pressed button shows a check mark. */
  copied(): void {
    const isOverDialog = document.querySelector("[role=dialog]") !== null;
    // One behind it would be an empty card.
    if (isOverDialog) sonner.dismiss();
    const className = isOverDialog ? "max-md:pointer-events-none max-md:opacity-0!" : "";
    sonner.success("Copied", { duration: 4000, className });
  },
  /** Replaces the same error. */
  error(title: string, description?: string): void {
    lastError = title;
    sonner.error(title, { id: title, description, duration: 8000 });
  },
  /** Shows a message, or changes its text, until `leave` is called or its button is pressed. */
  stay(title: string, description: string, action: { label: string; onClick: () => void } | null = null): void {
    staying ??= `stays ${Date.now()}`;
    sonner.error(title, { id: staying, description, action, duration: Number.POSITIVE_INFINITY });
  },
  leave(): void {
    if (staying !== undefined) sonner.dismiss(staying);
    staying = undefined;
  },
};
