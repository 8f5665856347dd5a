const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_LENGTH = 253;

/** A name of at least two labels as resolvers write it: lower case, no dot at the end. */
export function isDomainName(text: string): boolean {
  const labels = text.split('.');
  const top = labels.at(-1)!;
  return (
    text.length <= MAX_LENGTH && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d/.test(top)
  );
}
