import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { HeadToHeadView, Holder, JournalEntryView, LogView, RatingChangeView } from "@holo/protocol/game/games.ts";
import { isFree } from "@holo/table/stakes.ts";
import { isOpen } from "@holo/table/state.ts";
import { sql } from "kysely";
import { type GameJournalEntry, loadGameEntries } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { type GameRow, isHiddenFrom, loadGame, loadLog } from "../log/game-store.ts";
import { parseRecord, toFirstHash } from "../log/log-record.ts";
import type { RatingChange } from "../log/rating-change.ts";

interface SettlementView {
  /** Oldest first. */
  readonly entries: readonly JournalEntryView[];
  /** Null unless the game was played to its end. */
  readonly headToHead: HeadToHeadView | null;
  /** Null as `headToHead`. */
  readonly ratings: RatingChanges | null;
}

interface RatingChanges {
  readonly white: RatingChangeView;
  readonly black: RatingChangeView;
}

export interface SettlementAndLog {
  /** Refuses in order `unknown_game`, `not_a_player`. */
  loadSettlement(gameId: GameId, viewer: PlayerId): Promise<Result<SettlementView, "unknown_game" | "not_a_player">>;
  /**
   * For everyone (ruling 22). Refuses in order `unknown_game`, also for a waiting game that the
   * viewer may not see, and `game_not_over`.
   */
  loadGameLog(gameId: GameId, viewer: PlayerId | null): Promise<Result<LogView, "unknown_game" | "game_not_over">>;
}

export function openSettlementAndLog(queries: Queries): SettlementAndLog {
  return {
    async loadSettlement(gameId, viewer) {
      const game = await loadGame(queries, gameId);
      if (game === null || isHiddenFrom(viewer, game)) return refuse("unknown_game");
      if (viewer !== game.player1_id && viewer !== game.player2_id) return refuse("not_a_player");
      const [entries, headToHead, ratings] = await Promise.all([
        loadGameEntries(queries, game.id),
        loadHeadToHead(queries, game),
        loadRatingChanges(queries, game),
      ]);
      return ok({ entries: entries.map((entry) => toEntryView(entry, game)), headToHead, ratings });
    },
    async loadGameLog(gameId, viewer) {
      const game = await loadGame(queries, gameId);
      if (game === null || (game.status === "waiting" && viewer === null) || isHiddenFrom(viewer, game)) {
        return refuse("unknown_game");
      }
      if (isOpen(game.status)) return refuse("game_not_over");
      const log = await loadLog(queries, game.id, 0);
      // Only rematch offers follow the end, so the newest records are parsed first.
      const last = log.findLast(({ text }) => {
        const { events } = parseRecord(text);
        return events.some(({ type }) => type === "ended" || type === "cancelled");
      });
      assert(last !== undefined, `game ${gameId} is over and its log does not say so`);
      // Command ids and network times are harmless after the end: a command answers to its own
      // player only, and ruling 16 publishes network times.
      const rows = log.map(({ text, hash }) => ({ text, hash }));
      return ok({ before: toFirstHash(game.id), rows, finalHash: last.hash });
    },
  };
}

/** Free games have a score of their own. */
async function loadHeadToHead(queries: Queries, game: GameRow): Promise<HeadToHeadView | null> {
  const { status, player1_id: white, player2_id: black, stake_amount: stake } = game;
  if (black === null || isOpen(status) || status === "cancelled") return null;
  const { rows } = await sql<HeadToHeadView>`
    select count(*) filter (where winner_id = ${white})::int as white,
      count(*) filter (where winner_id = ${black})::int as black,
      count(*) filter (where winner_id is null)::int as draws
    from games where status in ('completed', 'timeout') and (stake_amount = 0) = ${isFree(stake)}
      and (player1_id = ${white} and player2_id = ${black} or player1_id = ${black} and player2_id = ${white})`.execute(
    queries,
  );
  return rows[0] ?? null;
}

/** Each change also names the opponent's rating before the game. */
async function loadRatingChanges(queries: Queries, game: GameRow): Promise<RatingChanges | null> {
  const { rows } = await sql<RatingChange>`select * from rating_changes where game_id = ${game.id}`.execute(queries);
  const white = rows.find(({ player_id }) => player_id === game.player1_id);
  const black = rows.find(({ player_id }) => player_id === game.player2_id);
  if (white === undefined || black === undefined) return null;
  return { white: toChangeView(white, black), black: toChangeView(black, white) };
}

function toChangeView(own: RatingChange, { opponent_rating, opponent_deviation }: RatingChange): RatingChangeView {
  return {
    before: { rating: Math.round(opponent_rating), deviation: Math.round(opponent_deviation) },
    after: { rating: Math.round(own.rating), deviation: Math.round(own.deviation) },
  };
}

function toEntryView({ id, kind, at, postings }: GameJournalEntry, game: GameRow): JournalEntryView {
  return {
    id: String(id),
    kind,
    at,
    postings: postings.map(({ account, amount }) => ({
      holder: toHolder(account, game),
      amount: String(amount),
    })),
  };
}

function toHolder({ kind, owner }: GameJournalEntry["postings"][number]["account"], game: GameRow): Holder {
  if (kind === "escrow") return "escrow";
  if (kind === "revenue") return "platform";
  assert(kind === "wallet", `an entry of game ${game.id} touches the account ${kind}`);
  if (owner === game.player1_id) return "white";
  assert(owner === game.player2_id, `an entry of game ${game.id} touches the wallet of neither player`);
  return "black";
}
