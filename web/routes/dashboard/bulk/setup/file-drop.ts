import { useEffect, useState } from "react";
import type { DragEvent } from "react";

function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes("Files") ?? false;
}

/** Keeps a file that misses its place from being opened by the browser, which would leave the page. */
export function useDropGuard(): void {
  useEffect(() => {
    function keep(event: globalThis.DragEvent) {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    }
    window.addEventListener("dragover", keep);
    window.addEventListener("drop", keep);
    return () => {
      window.removeEventListener("dragover", keep);
      window.removeEventListener("drop", keep);
    };
  }, []);
}

/** What makes an element take files that are dropped on it. Text that is dragged goes where it would go without. */
export function useFileDrop(onFiles: (files: FileList) => void) {
  const [over, setOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      // Between the elements within, it is still over.
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop(event: DragEvent) {
      setOver(false);
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      onFiles(event.dataTransfer.files);
    },
  };
  return { over, handlers };
}
