const KEPT_MS = 60_000;

/** Hands the browser a file to save. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser still reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
