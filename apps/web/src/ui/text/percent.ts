/** `7.4%` for 740 basis points, without trailing zeros. */
export function formatPercent(basisPoints: number): string {
  return `${Number((basisPoints / 100).toFixed(2))}%`;
}
