import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import {
  type CoinOrigin,
  type CoinPath,
  loadPaths,
  loadWalletOrigins,
  loadWithdrawalOrigins,
} from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadClearedGames } from "../cases/case-store.ts";

/** Won coins of one piece that a player has or has asked to be paid, and who had them before. */
export interface HeldPiece {
  readonly coins: number;
  readonly depositId: bigint;
  readonly depositorId: PlayerId;
  readonly gainedAt: Instant;
  /** Empty: not read. */
  readonly path: CoinPath["steps"];
  /** The game that the player won them in. */
  readonly gameId: GameId | null;
}

/** The ways of the largest tell enough: what a mule gets from one source are a few large ones. */
const PATHS_MAX = 150;

/**
 * Coins that stem from others' deposits, in the wallet or in withdrawals that are not sent yet, but
 * for those from games that people found in order. The largest first.
 */
export async function loadHolding(queries: Queries, playerId: PlayerId, now: Instant): Promise<readonly HeldPiece[]> {
  const [inWallet, asked] = await Promise.all([
    loadWalletOrigins(queries, playerId, now),
    loadAsked(queries, playerId, now),
  ]);
  const won = [...inWallet, ...asked].filter(({ hops, origin }) => hops > 0 && origin.playerId !== playerId);
  if (won.length === 0) return [];
  const cleared = await loadClearedGames(queries, [...new Set(won.flatMap(({ wonFrom }) => wonFrom?.gameId ?? []))]);
  const left = won
    .filter(({ wonFrom }) => wonFrom === null || !cleared.has(wonFrom.gameId))
    .toSorted((one, other) => Number(other.coins - one.coins));
  const paths = await loadPaths(
    queries,
    left.slice(0, PATHS_MAX).map(({ pieceId }) => pieceId),
  );
  return left.map(({ coins, origin, gainedAt, wonFrom }, index) => ({
    coins: Number(coins),
    depositId: origin.pieceId,
    depositorId: origin.playerId,
    gainedAt,
    path: paths[index]?.steps ?? [],
    gameId: wonFrom?.gameId ?? null,
  }));
}

async function loadAsked(queries: Queries, playerId: PlayerId, now: Instant): Promise<readonly CoinOrigin[]> {
  const { rows } = await sql<{ readonly id: PaymentId }>`/* prepared fair_play_asked */
    select id from payments where player_id = ${playerId} and kind = 'withdrawal' and step = 'held'`.execute(queries);
  const each = await Promise.all(rows.map(({ id }) => loadWithdrawalOrigins(queries, id, now)));
  return each.flat();
}
