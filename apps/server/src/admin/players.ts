import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { FoundPlayersView, FoundPlayerView, PlayerFileView } from "@holo/protocol/house-views.ts";
import type { MatchView } from "@holo/protocol/views.ts";
import {
  type Accounts,
  type FoundPlayer,
  findAccount,
  loadBlocked,
  loadOwnLimits,
  loadRole,
  searchAccounts,
  toDevice,
} from "../accounts/accounts.ts";
import type { Arena } from "../arena/arena.ts";
import { loadStatement, type StatementRow, walletBalance } from "../ledger/ledger.ts";
import { type Payments, toPaymentView } from "../payments/payments.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import type { ReportEnds } from "./report-ends.ts";

/** What admins may know of players; they change nothing here. */
export interface PlayerFiles {
  /** Those whose name or address contains the text, or whose id it is, 20 at a time. */
  find(text: string, after: string | null): Promise<FoundPlayersView>;
  /** A player with what belongs to them: no password, no whole account number. */
  load(id: PlayerId): Promise<Result<PlayerFileView, "unknown_player">>;
  /** The player's games, the newest first, 20 at a time. @param before ms since 1970: those begun before that */
  loadGames(
    id: PlayerId,
    before: number | null,
  ): Promise<{ readonly matches: readonly MatchView[]; readonly next: number | null }>;
  /** The player's statement, the newest first, 20 at a time. @param before the id of an entry: those before it */
  loadEntries(
    id: PlayerId,
    before: bigint | null,
  ): Promise<{ readonly rows: readonly StatementRow[]; readonly next: string | null }>;
}

export interface PlayerFilesOptions {
  readonly database: Database;
  readonly time: Time;
  readonly arena: Pick<Arena, "loadOpenGame" | "loadGamesOf">;
  readonly accounts: Pick<Accounts, "listSessions">;
  readonly payments: Pick<Payments, "listPayments">;
}

const PAGE = 20;

export function openPlayerFiles(options: PlayerFilesOptions, reports: Pick<ReportEnds, "load">): PlayerFiles {
  const { database, time, arena, accounts, payments } = options;
  const queries = database.kysely;

  async function toViews(found: readonly FoundPlayer[]): Promise<readonly FoundPlayerView[]> {
    const ids = found.map(({ id }) => id);
    const blocked = await loadBlocked(queries, ids);
    return found.map((player) => ({ ...player, isBlocked: blocked.has(player.id) }));
  }

  return {
    async find(text, after) {
      const wanted = text.trim();
      if (wanted === "") return { players: [], next: null };
      const found = await searchAccounts(queries, { text: wanted, after, limit: PAGE + 1 });
      const players = await toViews(found.slice(0, PAGE));
      return { players, next: found.length > PAGE ? (players.at(-1)?.username ?? null) : null };
    },

    async load(id) {
      const found = await findAccount(queries, id);
      const [player] = found === null ? [] : await toViews([found]);
      if (player === undefined) return refuse("unknown_player");
      const [role, limits, balance, openGame, newest, sessions, told] = await Promise.all([
        loadRole(queries, id),
        loadOwnLimits(queries, id, time.now()),
        walletBalance(queries, id),
        arena.loadOpenGame(id),
        payments.listPayments(id),
        accounts.listSessions({ playerId: id, token: "" }),
        reports.load({ state: null, playerId: id, after: null }),
      ]);
      const { excludedUntil, closingAt, blockedFor } = limits;
      return ok({
        player,
        role,
        balance: String(balance?.balance ?? 0n),
        openGame,
        limits: { ...limits.limits, excludedUntil, closingAt, blockedFor },
        payments: newest.map(toPaymentView),
        sessions: sessions.map(({ userAgent, startedAt, seenAt }) => ({
          device: toDevice(userAgent),
          startedAt,
          seenAt,
        })),
        reports: told.reports,
      });
    },

    async loadGames(id, before) {
      const matches = await arena.loadGamesOf(id, before, PAGE + 1);
      const shown = matches.slice(0, PAGE);
      return { matches: shown, next: matches.length > PAGE ? (shown.at(-1)?.createdAt ?? null) : null };
    },

    async loadEntries(id, before) {
      const rows = await loadStatement(queries, id, { before, kind: null, limit: PAGE + 1 });
      const shown = rows.slice(0, PAGE);
      return { rows: shown, next: rows.length > PAGE ? String(shown.at(-1)?.id) : null };
    },
  };
}
