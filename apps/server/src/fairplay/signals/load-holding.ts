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
  readonly path: CoinPath["steps"];
  /** The game that the player won them in. */
  readonly gameId: GameId | null;
}

/** The largest pieces tell enough: what a mule gets from one source are a few large ones. */
const PIECES_MAX = 150;

/**
 * Coins that stem from others' deposits, in the wallet or in withdrawals that are not sent yet, but
 * for those from games that people found in order.
 */
export async function loadHolding(queries: Queries, playerId: PlayerId, now: Instant): Promise<readonly HeldPiece[]> {
  const [inWallet, asked] = await Promise.all([
    loadWalletOrigins(queries, playerId, now),
    loadAsked(queries, playerId, now),
  ]);
  const won = [...inWallet, ...asked].filter(({ hops, origin }) => hops > 0 && origin.playerId !== playerId);
  const largest = won.toSorted((one, other) => Number(other.coins - one.coins)).slice(0, PIECES_MAX);
  if (largest.length === 0) return [];
  const paths = await loadPaths(
    queries,
    largest.map(({ pieceId }) => pieceId),
  );
  const pieces = largest.map(({ coins, origin, gainedAt, wonFrom }, index) => {
    return {
      coins: Number(coins),
      depositId: origin.pieceId,
      depositorId: origin.playerId,
      gainedAt,
      path: paths[index]?.steps ?? [],
      gameId: wonFrom?.gameId ?? null,
    };
  });
  const cleared = await loadClearedGames(queries, [...new Set(pieces.flatMap(({ gameId }) => gameId ?? []))]);
  return pieces.filter(({ gameId }) => gameId === null || !cleared.has(gameId));
}

async function loadAsked(queries: Queries, playerId: PlayerId, now: Instant): Promise<readonly CoinOrigin[]> {
  const { rows } = await sql<{ readonly id: PaymentId }>`/* prepared fair_play_asked */
    select id from payments where player_id = ${playerId} and kind = 'withdrawal' and step = 'held'`.execute(queries);
  const each = await Promise.all(rows.map(({ id }) => loadWithdrawalOrigins(queries, id, now)));
  return each.flat();
}
