/** As "1 fault" or "2 faults", for nouns with a regular plural. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
