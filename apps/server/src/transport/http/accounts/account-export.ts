import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import {
  type Accounts,
  findPlayers,
  findProfile,
  loadBans,
  loadDevices,
  loadDisputes,
  loadOwnLimits,
  loadRegistrationBlockHashes,
  loadRelations,
  loadSelfExclusions,
  loadTraces,
  type Session,
  toDevice,
} from "../../../accounts/accounts.ts";
import { exportCases } from "../../../fairplay/fairplay.ts";
import {
  type ExportedGame,
  type ExportedMessage,
  loadExportedGames,
  loadExportedMessages,
  loadExportedReports,
} from "../../../game/game.ts";
import { loadStatement, loadWallet, type StatementRow } from "../../../ledger/ledger.ts";
import { loadWithdrawalHoldsOf, type Payments, toPaymentView } from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import { readSnapshot } from "../../../platform/database/transaction.ts";
import { makeRateLimiter } from "../../../platform/rate-limiter.ts";
import type { Time } from "../../../platform/time/time.ts";
import { loadRatings } from "../../../players/players.ts";
import type { AccessDeps } from "../access.ts";
import { toStream } from "../file-stream.ts";
import { type HttpApp, mountFileRoute } from "../routes.ts";

const PAGE_ROWS = 500;
/** An export reads much more than a page. */
const EXPORTS_PER_PLAYER = { burst: 5, refillMs: 60_000 };

export interface ExportSources {
  readonly accounts: Pick<Accounts, "listSessions">;
  readonly payments: { readonly bankAccounts: Pick<Payments["bankAccounts"], "list"> } & Pick<
    Payments,
    "exportPayments"
  >;
  readonly queries: Queries;
  readonly time: Time;
}

interface AccountExportDeps extends ExportSources, AccessDeps {}

export function mountAccountExport(app: HttpApp, deps: AccountExportDeps): void {
  const exports = makeRateLimiter(deps.time, EXPORTS_PER_PLAYER);
  mountFileRoute(app, "accountExport", deps, async (context, { session }) => {
    if (!exports.tryAcquire(session.player.id)) return refuse("too_many_requests");
    const beginning = await loadBeginning(deps, session);
    const response = context.body(toStream(toFile(deps.queries, session.player.id, beginning)), 200, {
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="holo-arena-account.json"',
      "content-type": "application/json; charset=utf-8",
    });
    return ok(response);
  });
}

interface Beginning {
  /** Read as a whole before the response begins; games, messages and entries are streamed. */
  readonly sections: Readonly<Record<string, unknown>>;
  /** The newest page of each list; what is older never changes. */
  readonly games: readonly ExportedGame[];
  readonly entries: readonly StatementRow[];
  readonly messages: readonly ExportedMessage[];
}

/**
 * Read first, so that a database fault appears before the response has begun. Money, games and
 * messages are read from one snapshot, so that they agree.
 */
async function loadBeginning(
  { accounts, payments, queries, time }: ExportSources,
  { player, token, role }: Session,
): Promise<Beginning> {
  const { id } = player;
  const [snapshot, profile, limits, relations, sessions, devices, traces, bankAccounts, restrictions] =
    await Promise.all([
      readSnapshot({ kysely: queries }, async (snapshot) => ({
        wallet: await loadWallet(snapshot, id),
        payments: await payments.exportPayments(snapshot, id),
        fairPlay: await exportCases(snapshot, id, time.now()),
        reports: await loadExportedReports(snapshot, id),
        ratings: await loadRatings(snapshot, id),
        games: await loadExportedGames(snapshot, id, null, PAGE_ROWS),
        entries: await loadEntries(snapshot, id, null),
        messages: await loadExportedMessages(snapshot, id, null, PAGE_ROWS),
      })),
      findProfile(queries, id),
      loadOwnLimits(queries, id, time.now()),
      loadRelations(queries, id),
      accounts.listSessions({ playerId: id, token }),
      loadDevices(queries, id),
      loadTraces(queries, id),
      payments.bankAccounts.list(id),
      loadRestrictions(queries, id),
    ]);
  const { wallet, games, entries, messages } = snapshot;
  const sections = {
    about:
      "What Holo Arena keeps about you, without secrets such as your password. Instants are milliseconds since 1970 UTC, coins are millionths of a holocoin, naira are kobo.",
    exportedAt: time.now(),
    profile: { ...player, role, registeredAt: profile?.sinceAt ?? null },
    wallet: { balance: wallet?.balance ?? 0n },
    limits,
    ...restrictions,
    sessions: sessions.map(({ userAgent, ...session }) => ({ ...session, device: toDevice(userAgent), userAgent })),
    devices,
    traces: traces.map(({ kind, firstAt, lastAt, uses }) => ({ kind, firstAt, lastAt, uses })),
    relations,
    bankAccounts,
    payments: snapshot.payments.map(toPaymentView),
    fairPlay: snapshot.fairPlay,
    reports: snapshot.reports,
    ratings: snapshot.ratings,
  };
  return { sections, games, entries, messages };
}

async function loadRestrictions(queries: Queries, id: PlayerId): Promise<Readonly<Record<string, unknown>>> {
  const [breaks, bans, disputes, withdrawalHolds, emailHashes] = await Promise.all([
    loadSelfExclusions(queries, id),
    loadBans(queries, [id]),
    loadDisputes(queries, id),
    loadWithdrawalHoldsOf(queries, id),
    loadRegistrationBlockHashes(queries, id),
  ]);
  const ban = bans.get(id);
  return {
    breaks,
    ban: ban === undefined ? null : { reason: ban.reason },
    disputes,
    withdrawalHolds,
    emailHashes,
  };
}

function loadEntries(queries: Queries, playerId: PlayerId, before: bigint | null): Promise<readonly StatementRow[]> {
  return loadStatement(queries, playerId, { before, kind: null, limit: PAGE_ROWS });
}

async function* toFile(
  queries: Queries,
  playerId: PlayerId,
  { sections, games, entries, messages }: Beginning,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${format(sections).slice(0, -1)}`);
  const lists = {
    games: nameOpponents(
      queries,
      readPages(games, (last) => loadExportedGames(queries, playerId, last, PAGE_ROWS)),
    ),
    entries: readPages(entries, (last) => loadEntries(queries, playerId, last.id)),
    messages: readPages(messages, (last) => loadExportedMessages(queries, playerId, last, PAGE_ROWS)),
  };
  for (const [name, pages] of Object.entries(lists)) {
    yield encoder.encode(`,\n${JSON.stringify(name)}:[`);
    let isFirst = true;
    for await (const rows of pages) {
      if (rows.length === 0) continue;
      yield encoder.encode(`${isFirst ? "\n" : ",\n"}${rows.map(format).join(",\n")}`);
      isFirst = false;
    }
    yield encoder.encode("]");
  }
  yield encoder.encode("}\n");
}

async function* readPages<Value>(
  newest: readonly Value[],
  loadOlder: (last: Value) => Promise<readonly Value[]>,
): AsyncGenerator<readonly Value[], void> {
  let rows = newest;
  for (;;) {
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    rows = await loadOlder(last);
  }
}

async function* nameOpponents(
  queries: Queries,
  pages: AsyncGenerator<readonly ExportedGame[], void>,
): AsyncGenerator<readonly unknown[], void> {
  for await (const games of pages) {
    const players = await findPlayers(
      queries,
      games.flatMap(({ opponentId }) => opponentId ?? []),
    );
    yield games.map(({ opponentId, ...game }) => ({
      ...game,
      opponent: opponentId === null ? null : (players.get(opponentId)?.username ?? null),
    }));
  }
}

/** Sums too large for JSON's numbers are written as text. */
function format(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) => (typeof one === "bigint" ? String(one) : one));
}
