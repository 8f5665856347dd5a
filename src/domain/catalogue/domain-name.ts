const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_LENGTH = 253;

/** At least two labels, lower case, no trailing dot. */
export function isDomainName(text: string): boolean {
  const labels = text.split('.');
  const top = labels.at(-1)!;
  return (
    text.length <= MAX_LENGTH && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d/.test(top)
  );
}
