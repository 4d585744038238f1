import { loadEngine } from "@holo/engine/engine.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType, Move } from "@holo/rules/rules.ts";
import { UciFault, type UciMove, type UciProgram } from "./uci.ts";

/** A position of a game from its start. */
export interface Place {
  readonly position: unknown;
  readonly played: readonly Move[];
}

export interface Best {
  readonly move: Move;
  /** For the side to move, in hundredths of a man or pawn. */
  readonly score: number;
  /** That of the best other move, of which there must be one. */
  findNextScore(): Promise<number>;
}

/** A program that judges positions in which the game is not over. */
export interface Analyst {
  readonly name: string;
  analyse(place: Place): Promise<Best>;
}

/** A game takes about three seconds. In draughts stronger programs are common. */
const NODES: Readonly<Record<GameType, number>> = { chess: 3_000, checkers: 25_000 };
const NODES_ELSE = 3_000;

export async function openOwnAnalyst(game: GameType): Promise<Analyst> {
  const engine = await loadEngine(game);
  const nodes = NODES[game] ?? NODES_ELSE;
  return {
    name: "Holo Arena",
    async analyse({ position }) {
      const { move, score } = engine.analyse(position, { nodes });
      const best = move!;
      return {
        move: best,
        score,
        findNextScore: async () => engine.analyse(position, { nodes, without: best }).score,
      };
    },
  };
}

/** With them Stockfish is far stronger than any player, in about 30 ms. */
const UCI_NODES = 20_000;

/** @throws UciFault if the program errs */
export function makeUciAnalyst({ name, analyse }: UciProgram): Analyst {
  return {
    name,
    async analyse({ position, played }) {
      const [best, next] = await analyse(played, UCI_NODES);
      const move = rulesOf("chess")
        .legalMoves(position)
        .find((legal) => isThat(legal, best!.move));
      if (move === undefined) throw new UciFault("it named a move that is not legal");
      return {
        move,
        score: best!.score,
        async findNextScore() {
          if (next === undefined) throw new UciFault("it named one of several moves");
          return next.score;
        },
      };
    },
  };
}

function isThat({ path, promotion }: Move, named: UciMove): boolean {
  return path[0] === named.from && path.at(-1) === named.to && (promotion ?? null) === named.promotion;
}
