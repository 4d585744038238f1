/** What a spreadsheet would take for a formula, or for the way to one. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/**
 * A text as one cell: quoted where it has to be, and with an apostrophe before what a spreadsheet would calculate, so that no text that
 * anybody chose is ever run by who opens the file.
 */
export function formatCsvText(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Cells as they are, in one line: figures of our own, and texts that went through `formatCsvText`. */
export function formatCsvLine(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}
