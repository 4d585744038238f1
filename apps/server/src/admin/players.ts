import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { FoundPlayersView, FoundPlayerView, PlayerFileView } from "@holo/protocol/house-views.ts";
import type { MatchView } from "@holo/protocol/views.ts";
import {
  type Accounts,
  type FoundPlayer,
  findAccount,
  loadBlocked,
  loadOwnLimits,
  loadRoles,
  parseEmail,
  searchAccounts,
  toDevice,
} from "../accounts/accounts.ts";
import type { Arena } from "../arena/arena.ts";
import { loadStatement, type StatementRow, walletBalance } from "../ledger/ledger.ts";
import { type Payments, toPaymentView } from "../payments/payments.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { loadStandings, type Ranked, toAccountHeldBack, toMatterHeldBack } from "./ranks.ts";
import type { ReportEnds } from "./report-ends.ts";

export type FileRefusal = "admin_matter" | "ceo_matter";

/**
 * What admins may know of players; they change nothing here. The CEO's file is read by nobody else, an admin's by themself and the CEO
 * (`FileRefusal`): that they are of the house, their name and their address stand in the list of admins anyway.
 */
export interface PlayerFiles {
  /**
   * Those whose name or address contains the text, or whose id it is, 20 at a time; and those on whose account the mailbox of an address is
   * held, which is how somebody who has left under a block is found.
   */
  find(viewer: Ranked, text: string, after: string | null): Promise<FoundPlayersView>;
  /** A player with what belongs to them: no password, no whole account number. */
  load(viewer: Ranked, id: PlayerId): Promise<Result<PlayerFileView, FileRefusal | "unknown_player">>;
  /** The player's games, the newest first, 20 at a time. @param before ms since 1970: those begun before that */
  loadGames(viewer: Ranked, id: PlayerId, before: number | null): Promise<Result<GamesPage, FileRefusal>>;
  /** The player's statement, the newest first, 20 at a time. @param before the id of an entry: those before it */
  loadEntries(viewer: Ranked, id: PlayerId, before: bigint | null): Promise<Result<EntriesPage, FileRefusal>>;
}

interface GamesPage {
  readonly matches: readonly MatchView[];
  readonly next: number | null;
}

interface EntriesPage {
  readonly rows: readonly StatementRow[];
  readonly next: string | null;
}

export interface PlayerFilesOptions {
  readonly database: Database;
  readonly time: Time;
  readonly arena: Pick<Arena, "loadOpenGame" | "loadMatch" | "loadGamesOf">;
  readonly accounts: Pick<Accounts, "listSessions" | "mailboxes">;
  readonly payments: Pick<Payments, "listPayments">;
}

const PAGE = 20;

export function openPlayerFiles(options: PlayerFilesOptions, reports: Pick<ReportEnds, "load">): PlayerFiles {
  const { database, time, arena, accounts, payments } = options;
  const queries = database.kysely;

  async function toViews(viewer: Ranked, found: readonly FoundPlayer[]): Promise<readonly FoundPlayerView[]> {
    const ids = found.map(({ id }) => id);
    const [blocked, standings] = [await loadBlocked(queries, ids), await loadStandings(queries, viewer.id, ids)];
    return found.map((player) => ({
      ...player,
      role: standings.roles.get(player.id) ?? null,
      isBlocked: blocked.has(player.id),
      heldBack: toAccountHeldBack(viewer, player.id, standings),
    }));
  }

  async function checkFile(viewer: Ranked, id: PlayerId): Promise<Result<null, FileRefusal>> {
    const held = toAccountHeldBack(viewer, id, await loadStandings(queries, viewer.id, [id]));
    return held === null || held === "own_matter" ? ok(null) : refuse(held);
  }

  /** Whether a game that the player is in now is this person's to cancel. */
  async function loadGameHeldBack(viewer: Ranked, id: PlayerId, gameId: string | undefined) {
    const match = gameId === undefined ? null : await arena.loadMatch(gameId as GameId, id);
    if (match === null) return null;
    const ids = [match.white.id, ...(match.black === null ? [] : [match.black.id])] as PlayerId[];
    return toMatterHeldBack(viewer, ids, await loadRoles(queries, ids));
  }

  return {
    async find(viewer, text, after) {
      const wanted = text.trim();
      if (wanted === "") return { players: [], next: null };
      const email = parseEmail(wanted);
      const holders = email === null ? [] : await accounts.mailboxes.findHolders(queries, email);
      const found = await searchAccounts(queries, { text: wanted, ids: holders, after, limit: PAGE + 1 });
      const players = await toViews(viewer, found.slice(0, PAGE));
      return { players, next: found.length > PAGE ? (players.at(-1)?.username ?? null) : null };
    },

    async load(viewer, id) {
      const found = await findAccount(queries, id);
      const [player] = found === null ? [] : await toViews(viewer, [found]);
      if (player === undefined) return refuse("unknown_player");
      if (player.heldBack === "admin_matter" || player.heldBack === "ceo_matter") return refuse(player.heldBack);
      const [limits, balance, openGame, newest, sessions, told] = await Promise.all([
        loadOwnLimits(queries, id, time.now()),
        walletBalance(queries, id),
        arena.loadOpenGame(id),
        payments.listPayments(id),
        accounts.listSessions({ playerId: id, token: "" }),
        reports.load(viewer, { state: null, playerId: id, after: null }),
      ]);
      const { excludedUntil, closingAt, blockedFor } = limits;
      return ok({
        player,
        balance: String(balance?.balance ?? 0n),
        openGame,
        gameHeldBack: await loadGameHeldBack(viewer, id, openGame?.gameId),
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

    async loadGames(viewer, id, before) {
      const allowed = await checkFile(viewer, id);
      if (!allowed.ok) return allowed;
      const matches = await arena.loadGamesOf(id, before, PAGE + 1);
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
