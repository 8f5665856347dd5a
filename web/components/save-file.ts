const REVOKE_AFTER_MS = 60_000;

/** Starts a download; characters that file systems reject are replaced in the name. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-');
  link.click();
  // Some browsers read the blob only some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
