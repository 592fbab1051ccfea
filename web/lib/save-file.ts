/** Makes the browser save a text as a file. It is created in this page; nothing is sent anywhere. */
export function saveTextFile(name: string, text: string, type: string): void {
  saveFile(name, new Blob([text], { type }));
}

/** The same for an existing file. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read it after the click, some slightly later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
