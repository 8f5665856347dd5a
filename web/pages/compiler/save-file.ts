const LATER_MS = 60_000;

/** As a download of the browser, under a name that every system takes. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-');
  link.click();
  // Not at once: some browsers begin to read it only after a while.
  setTimeout(() => URL.revokeObjectURL(url), LATER_MS);
}
