/** Has the browser save a text as a file. It is made in this page; nothing is sent anywhere. */
export function saveTextFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read it after the press; some a little later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
