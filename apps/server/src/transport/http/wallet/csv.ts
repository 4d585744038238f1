const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/**
 * A text as one cell, quoted if necessary, with an apostrophe before a formula so that spreadsheets
 * do not run it.
 */
export function formatCsvText(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export function formatCsvLine(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}
