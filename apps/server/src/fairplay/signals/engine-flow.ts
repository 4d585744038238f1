import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadEquals } from "../engine/screening-store.ts";
import type { FlowFinding, Signal } from "../finding.ts";
import { isComparable, judgeEngineUse, needsMoreMoves } from "./engine-use.ts";
import type { PlayedGame } from "./facts.ts";
import type { HeldPiece } from "./load-holding.ts";
import { toStrength } from "./strength.ts";

const ASKED_MAX = 20;

export interface EngineJudgement {
  readonly flows: readonly FlowFinding[];
  /** Games whose moves have to be judged before more can be said. */
  readonly wanted: readonly GameId[];
}

/** Coins won since, in a type of game in which the player moves as a program does. */
export async function judgeEngine(
  queries: Queries,
  playerId: PlayerId,
  games: readonly PlayedGame[],
  holding: readonly HeldPiece[],
): Promise<EngineJudgement> {
  const byType = [...Map.groupBy(games, ({ game }) => game).values()];
  const judged = byType.map(async (played) => judgeType(playerId, played, holding, await judge(queries, played)));
  const each = await Promise.all(judged);
  return { flows: each.flatMap(({ flows }) => flows), wanted: each.flatMap(({ wanted }) => wanted) };
}

async function judge(queries: Queries, played: readonly PlayedGame[]): Promise<Signal> {
  const signal = judgeEngineUse(played);
  const [first] = played;
  if (!isComparable(signal) || first === undefined) return signal;
  return judgeEngineUse(played, await loadEquals(queries, first.game, toStrength(played).rating));
}

function judgeType(
  playerId: PlayerId,
  played: readonly PlayedGame[],
  holding: readonly HeldPiece[],
  signal: Signal,
): EngineJudgement {
  const won = played.filter(({ score }) => score === 1);
  if (needsMoreMoves(signal)) {
    const unjudged = won.filter(({ own }) => own === null);
    return { flows: [], wanted: unjudged.slice(0, ASKED_MAX).map(({ gameId }) => gameId) };
  }
  const judged = played.filter(({ own }) => own !== null);
  const since = Math.min(...judged.map(({ at }) => at));
  const wonIn = new Map(won.filter(({ at }) => at >= since).map((game) => [game.gameId, game]));
  const pieces = holding.filter(({ gameId }) => gameId !== null && wonIn.has(gameId));
  if (signal.bits === 0 || pieces.length === 0) return { flows: [], wanted: [] };
  const sourceIds = [...new Set(pieces.map(({ depositorId }) => depositorId))];
  const losers = pieces.flatMap(({ gameId }) => (gameId === null ? [] : (wonIn.get(gameId)?.opponentId ?? [])));
  const finding: FlowFinding = {
    kind: "engine",
    sourceIds,
    playerIds: [...new Set([...sourceIds, ...losers, playerId])],
    won: pieces,
    signals: [signal],
    bits: signal.bits,
    gameIds: [...new Set([...judged.map(({ gameId }) => gameId), ...pieces.flatMap(({ gameId }) => gameId ?? [])])],
    decision: "hold",
  };
  return { flows: [finding], wanted: [] };
}
