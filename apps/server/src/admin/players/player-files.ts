import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { FoundPlayersView, FoundPlayerView, PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import {
  type Accounts,
  findPlayerRecord,
  loadBans,
  loadOwnLimits,
  loadRoles,
  type PlayerRecord,
  parseEmail,
  searchPlayerRecords,
  toDevice,
} from "../../accounts/accounts.ts";
import type { Games } from "../../game/game.ts";
import { loadStatement, loadWallet, type StatementRow } from "../../ledger/ledger.ts";
import { findMoneyHold, loadWithdrawalHolds, type Payments, toPaymentView } from "../../payments/payments.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import { findAccountConflict, findCaseConflict, loadAuthority, type StaffMember } from "../authority.ts";
import type { ReportModeration } from "../moderation/reports.ts";

type FileRefusal = "admin_matter" | "ceo_matter";

/**
 * What admins may read about players. The CEO's file is closed to all others, an admin's to all but
 * themselves and the CEO (`FileRefusal`).
 */
export interface PlayerFiles {
  /**
   * Players whose name or address contains the text or whose id it is, 20 per page, and players
   * whose registration block matches the address: that finds a deleted account with a ban.
   */
  find(viewer: StaffMember, text: string, after: string | null): Promise<FoundPlayersView>;
  /** A player's file, without password and full account numbers. */
  load(viewer: StaffMember, id: PlayerId): Promise<Result<PlayerFileView, FileRefusal | "unknown_player">>;
  /**
   * The player's games, newest first, 20 per page. @param before ms since 1970: games created
   * earlier
   */
  loadGames(viewer: StaffMember, id: PlayerId, before: number | null): Promise<Result<GamesPage, FileRefusal>>;
  /**
   * The player's statement, newest first, 20 per page. @param before an entry's id, for older ones
   */
  loadEntries(viewer: StaffMember, id: PlayerId, before: bigint | null): Promise<Result<EntriesPage, FileRefusal>>;
}

interface GamesPage {
  readonly matches: readonly MatchView[];
  readonly next: number | null;
}

interface EntriesPage {
  readonly rows: readonly StatementRow[];
  readonly next: string | null;
}

interface PlayerFilesDeps {
  readonly database: Database;
  readonly time: Time;
  readonly games: Pick<Games, "loadOpenGame" | "loadMatch" | "loadGamesOf">;
  readonly accounts: Pick<Accounts, "listSessions" | "registrationBlocks">;
  readonly payments: Pick<Payments, "listPayments">;
}

const PAGE = 20;

export function openPlayerFiles(deps: PlayerFilesDeps, reports: Pick<ReportModeration, "load">): PlayerFiles {
  const { database, time, games, accounts, payments } = deps;
  const queries = database.kysely;

  async function checkFile(viewer: StaffMember, id: PlayerId): Promise<Result<null, FileRefusal>> {
    const held = findAccountConflict(viewer, id, await loadAuthority(queries, viewer.id, [id]));
    return held === null || held === "own_matter" ? ok(null) : refuse(held);
  }

  async function loadGameConflict(viewer: StaffMember, id: PlayerId, gameId: GameId | undefined) {
    const match = gameId === undefined ? null : await games.loadMatch(gameId, id);
    if (match === null) return null;
    const ids = [match.white.id, ...(match.black === null ? [] : [match.black.id])];
    return findCaseConflict(viewer, ids, await loadRoles(queries, ids));
  }

  return {
    async find(viewer, text, after) {
      const wanted = text.trim();
      if (wanted === "") return { players: [], next: null };
      const email = parseEmail(wanted);
      const blockedPlayers = email === null ? [] : await accounts.registrationBlocks.findPlayers(queries, email);
      const found = await searchPlayerRecords(queries, { text: wanted, ids: blockedPlayers, after, limit: PAGE + 1 });
      const players = await loadViews(queries, viewer, found.slice(0, PAGE));
      return { players, next: found.length > PAGE ? (players.at(-1)?.username ?? null) : null };
    },

    async load(viewer, id) {
      const found = await findPlayerRecord(queries, id);
      const [player] = found === null ? [] : await loadViews(queries, viewer, [found]);
      if (player === undefined) return refuse("unknown_player");
      if (player.heldBack === "admin_matter" || player.heldBack === "ceo_matter") return refuse(player.heldBack);
      const [limits, balance, openGame, newest, sessions, listed] = await Promise.all([
        loadOwnLimits(queries, id, time.now()),
        loadWallet(queries, id),
        games.loadOpenGame(id),
        payments.listPayments(id),
        accounts.listSessions({ playerId: id, token: "" }),
        reports.load(viewer, { state: null, playerId: id, after: null }),
      ]);
      const { excludedUntil, excludedFromFreeUntil, closingAt, ban } = limits;
      const bannedFor = ban?.reason ?? null;
      const moneyHold = await findMoneyHold(queries, id);
      const hold = (await loadWithdrawalHolds(queries, [id])).get(id);
      const withdrawalsHeldFor = hold?.reason ?? null;
      return ok({
        player,
        balance: String(balance?.balance ?? 0n),
        openGame,
        gameHeldBack: await loadGameConflict(viewer, id, openGame?.gameId),
        limits: {
          ...limits.limits,
          excludedUntil,
          excludedFromFreeUntil,
          closingAt,
          bannedFor,
          moneyHold,
          withdrawalsHeldFor,
        },
        banId: ban?.id ?? null,
        withdrawalHoldId: hold?.id ?? null,
        payments: newest.map(toPaymentView),
        sessions: sessions.map(({ userAgent, startedAt, seenAt }) => ({
          device: toDevice(userAgent),
          startedAt,
          seenAt,
        })),
        reports: listed.reports,
      });
    },

    async loadGames(viewer, id, before) {
      const allowed = await checkFile(viewer, id);
      if (!allowed.ok) return allowed;
      const matches = await games.loadGamesOf(id, before, PAGE + 1);
      const shown = matches.slice(0, PAGE);
      return ok({ matches: shown, next: matches.length > PAGE ? (shown.at(-1)?.createdAt ?? null) : null });
    },

    async loadEntries(viewer, id, before) {
      const allowed = await checkFile(viewer, id);
      if (!allowed.ok) return allowed;
      const rows = await loadStatement(queries, id, { before, kind: null, limit: PAGE + 1 });
      const shown = rows.slice(0, PAGE);
      return ok({ rows: shown, next: rows.length > PAGE ? String(shown.at(-1)?.id) : null });
    },
  };
}

async function loadViews(
  queries: Queries,
  viewer: StaffMember,
  found: readonly PlayerRecord[],
): Promise<readonly FoundPlayerView[]> {
  const ids = found.map(({ id }) => id);
  const [blocked, authority] = [await loadBans(queries, ids), await loadAuthority(queries, viewer.id, ids)];
  return found.map((player) => ({
    ...player,
    role: authority.roles.get(player.id) ?? null,
    isBanned: blocked.has(player.id),
    heldBack: findAccountConflict(viewer, player.id, authority),
  }));
}
