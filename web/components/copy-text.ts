/** Browsers lend the clipboard only to pages that came over HTTPS; in a home network there is the older way. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Inside an open dialog, because focus does not leave one.
  const place = document.activeElement?.closest('[role=dialog]') ?? document.body;
  place.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
