import { LEVELS, type Level, loadEngine } from "@holo/engine/engine.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { atLeast, type Finding, note } from "../report.ts";
import { type Mover, playMatch } from "./matches.ts";

const GAMES_PER_MATCH = 200;
const SEED = 48;
const GOAL_PERCENT = 75;
/** Plies that the top level's shallow opponent looks ahead, whatever it costs. */
const SHALLOW_DEPTH = 4;
const ENDLESS = 1_000_000;

interface Chosen {
  readonly game: string | undefined;
  readonly level: number | undefined;
  readonly games: number | undefined;
}

/** Each level against the one below, then the top level against itself at a fixed depth. */
export async function benchEngine(chosen: Chosen): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { id, name, loadRules } of GAMES) {
    if (chosen.game !== undefined && chosen.game !== id) continue;
    const rules = await loadRules();
    const engine = await loadEngine(id);
    const atLevel =
      (level: Level): Mover<unknown> =>
      (position, seed) =>
        engine.chooseMove(position, level, seed);
    const atDepth: Mover<unknown> = (position) =>
      engine.analyse(position, { nodes: ENDLESS, depth: SHALLOW_DEPTH }).move ?? rules.legalMoves(position)[0]!;
    const pairs = LEVELS.slice(1).map((level) => ({
      level,
      what: `level ${level} against ${level - 1}`,
      mover: atLevel(level),
      opponent: atLevel(LEVELS[level - 1]!),
    }));
    pairs.push({ level: 5, what: `level 5 against depth ${SHALLOW_DEPTH}`, mover: atLevel(5), opponent: atDepth });
    for (const { level, what, mover, opponent } of pairs) {
      if (chosen.level !== undefined && chosen.level !== level) continue;
      const { games = GAMES_PER_MATCH } = chosen;
      const { won, drawn, lost } = await playMatch(rules, mover, opponent, { games, seed: SEED });
      const figures = `${won} won, ${drawn} drawn, ${lost} lost`;
      // Some matches take minutes.
      note(`engine: ${name}, ${what}: ${figures}`);
      const percent = (100 * (won + drawn / 2)) / (won + drawn + lost);
      const goal = atLeast(percent, GOAL_PERCENT, " %");
      findings.push({ part: "engine", what: `${name}, ${what}`, figures, goal });
    }
  }
  return findings;
}
