/** Has the browser save a text as a file. It is made in this page; nothing is sent anywhere. */
export function saveTextFile(name: string, text: string, type: string): void {
  saveFile(name, new Blob([text], { type }));
}

/** The same for a file that has been made. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read it after the press; some a little later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
