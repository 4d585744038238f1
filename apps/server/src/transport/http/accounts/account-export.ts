import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import {
  type Accounts,
  findProfile,
  loadBans,
  loadDevices,
  loadDisputes,
  loadOwnLimits,
  loadRegistrationBlockHashes,
  loadRelations,
  loadSelfExclusions,
  type Session,
  toDevice,
} from "../../../accounts/accounts.ts";
import type { Arena } from "../../../arena/arena.ts";
import { loadStatement, loadWallet, type StatementRow } from "../../../ledger/ledger.ts";
import { loadWithdrawalHoldsOf, type Payments, toPaymentView } from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import { readSnapshot } from "../../../platform/database/transaction.ts";
import { makeRateLimiter } from "../../../platform/rate-limiter.ts";
import type { Time } from "../../../platform/time/time.ts";
import type { AccessDeps } from "../access.ts";
import { toStream } from "../file-stream.ts";
import { type HttpApp, mountFileRoute } from "../routes.ts";

const PAGE_ROWS = 500;
/** An export reads much more than a page. */
const EXPORTS_PER_PLAYER = { burst: 5, refillMs: 60_000 };

export interface ExportSources {
  readonly accounts: Pick<Accounts, "listSessions">;
  readonly arena: Pick<Arena, "exportGames" | "exportMessages" | "exportReports">;
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
    const response = context.body(toStream(toFile(deps, session.player.id, beginning)), 200, {
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="holo-arena-account.json"',
      "content-type": "application/json; charset=utf-8",
    });
    return ok(response);
  });
}

interface Beginning {
  /** The short ones. */
  readonly sections: Readonly<Record<string, unknown>>;
  /** The newest page of the statement; older entries never change. */
  readonly entries: readonly StatementRow[];
}

/**
 * Read first, so that a database fault appears before the response has begun. Money is read from
 * one snapshot, so that balance, payments and statement agree.
 */
async function loadBeginning(
  { accounts, arena, payments, queries, time }: ExportSources,
  { player, token, role }: Session,
): Promise<Beginning> {
  const { id } = player;
  const [money, profile, limits, relations, sessions, devices, bankAccounts, reports, restrictions] = await Promise.all(
    [
      readSnapshot({ kysely: queries }, async (snapshot) => ({
        wallet: await loadWallet(snapshot, id),
        payments: await payments.exportPayments(snapshot, id),
        entries: await loadStatement(snapshot, id, { before: null, kind: null, limit: PAGE_ROWS }),
      })),
      findProfile(queries, id),
      loadOwnLimits(queries, id, time.now()),
      loadRelations(queries, id),
      accounts.listSessions({ playerId: id, token }),
      loadDevices(queries, id),
      payments.bankAccounts.list(id),
      arena.exportReports(id),
      loadRestrictions(queries, id),
    ],
  );
  const sections = {
    about:
      "What Holo Arena keeps about you, without secrets such as your password. Instants are milliseconds since 1970 UTC, coins are millionths of a holocoin, naira are kobo.",
    exportedAt: time.now(),
    profile: { ...player, role, registeredAt: profile?.sinceAt ?? null },
    wallet: { balance: money.wallet?.balance ?? 0n },
    limits,
    ...restrictions,
    sessions: sessions.map(({ userAgent, ...session }) => ({ ...session, device: toDevice(userAgent), userAgent })),
    devices,
    relations,
    bankAccounts,
    payments: money.payments.map(toPaymentView),
    reports,
  };
  return { sections, entries: money.entries };
}

async function loadRestrictions(queries: Queries, id: PlayerId): Promise<Readonly<Record<string, unknown>>> {
  const [breaks, bans, disputes, withdrawalHolds, mailboxHashes] = await Promise.all([
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
    mailboxHashes,
  };
}

async function* toFile(
  { arena, queries }: ExportSources,
  playerId: PlayerId,
  { sections, entries }: Beginning,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${format(sections).slice(0, -1)}`);
  const lists = {
    games: readPages<Row<"exportGames">>((last) => arena.exportGames(playerId, last, PAGE_ROWS)),
    entries: readPages<StatementRow>(async (last) =>
      last === null
        ? entries
        : await loadStatement(queries, playerId, { before: last.id, kind: null, limit: PAGE_ROWS }),
    ),
    messages: readPages<Row<"exportMessages">>((last) => arena.exportMessages(playerId, last, PAGE_ROWS)),
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

type Row<Name extends "exportGames" | "exportMessages"> = Awaited<ReturnType<Arena[Name]>>[number];

async function* readPages<Value>(
  load: (last: Value | null) => Promise<readonly Value[]>,
): AsyncGenerator<readonly Value[], void> {
  let last: Value | null = null;
  for (;;) {
    const rows: readonly Value[] = await load(last);
    yield rows;
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1) ?? null;
  }
}

/** Sums too large for JSON's numbers are written as text. */
function format(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) => (typeof one === "bigint" ? String(one) : one));
}
