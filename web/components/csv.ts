type Cell = string | number | boolean | undefined;

// Tables take a cell that begins so for a formula, and whoever asks for a name chooses how it begins.
const isFormula = /^[=+\-@\t\r]/;

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = isFormula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of a table, as RFC 4180 has it, in which nothing is more than text. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;
