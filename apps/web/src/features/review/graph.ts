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
export function describeChances(chances: readonly number[], count: number): string {
  if (chances.length <= count) return "";
  const [low, high] = [Math.min(...chances), Math.max(...chances)];
  const at = (chance: number) => {
    const ply = chances.indexOf(chance);
    return `${Math.round(chance)}% ${ply === 0 ? "at the start" : `after move ${Math.ceil(ply / 2)}`}`;
  };
  return `Your chance to win was highest with ${at(high)}, lowest with ${at(low)}, ${Math.round(chances[count] ?? 0)}% at the end.`;
}
