/** SVG path data in a field that is 100 high and one wide for each move, from the top left. */
export function toGraphLine(chances: readonly number[]): string {
  return chances.map((chance, ply) => `${ply === 0 ? "M" : "L"}${ply} ${round(100 - chance)}`).join("");
}

/** The area between the line and the bottom. */
export function toGraphArea(chances: readonly number[]): string {
  return chances.length === 0 ? "" : `${toGraphLine(chances)}V100H0Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The graph in words; empty until it is complete. */
export function describeChances(whose: string, chances: readonly number[], count: number): string {
  if (chances.length <= count) return "";
  const [low, high] = [Math.min(...chances), Math.max(...chances)];
  const at = (chance: number) => {
    const ply = chances.indexOf(chance);
    return `${formatChance(chance)} ${ply === 0 ? "at the start" : `after move ${Math.ceil(ply / 2)}`}`;
  };
  return `${whose} chance to win was highest with ${at(high)}, lowest with ${at(low)}, ${formatChance(chances[count] ?? 0)} at the end.`;
}

export function formatMoveNumber(ply: number): string {
  return `${Math.ceil(ply / 2)}.${ply % 2 === 0 ? ".." : ""}`;
}

export function formatChance(percent: number): string {
  return `${Math.round(percent)}%`;
}
