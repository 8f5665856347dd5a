/** `navigator.clipboard` exists only in secure contexts; over plain HTTP the deprecated `execCommand` is used. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Inside an open dialog, because the dialog traps focus.
  const parent = document.activeElement?.closest('[role=dialog]') ?? document.body;
  parent.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
