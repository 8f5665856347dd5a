/** Adds thousands separators. */
export const count = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB'];
  // Values that round up to a thousand use the next unit.
  const power = Math.min(units.length, Math.floor(Math.log10(bytes * 1.00005) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}

export const plural = (number: number, word: string): string => `${count(number)} ${word}${number === 1 ? '' : 's'}`;

/** Shortens a text in the middle, where URLs differ least. */
export function shorten(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= width || width < 8) return line.slice(0, width);
  const head = Math.ceil((width - 1) / 2);
  return `${line.slice(0, head)}…${line.slice(line.length - (width - 1 - head))}`;
}
