type Cell = string | number | boolean | undefined;

// Spreadsheets treat cells with these prefixes as formulas, and clients choose the domain names they query.
const isFormula = /^[=+\-@\t\r]/;

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = isFormula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One CSV line (RFC 4180), with cells protected against formula injection. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;
