import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  type Accounts,
  findProfile,
  loadOwnLimits,
  loadRegistrationBlockHashes,
  loadRelations,
  loadSelfExclusions,
  type Session,
  toDevice,
  type Visitor,
} from "../../../accounts/accounts.ts";
import type { Arena } from "../../../arena/arena.ts";
import { loadStatement, loadWallet, type StatementRow } from "../../../ledger/ledger.ts";
import { type Payments, toPaymentView } from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import { makeRateLimiter, type RateLimiter } from "../../../platform/rate-limiter.ts";
import type { Time } from "../../../platform/time/time.ts";
import { toStream } from "../file-stream.ts";
import { toRefusal } from "../refusal.ts";

const PATH = "/api/account/export.json";
const PAGE_ROWS = 500;
/** Reading all of somebody's years costs more than a page does. */
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

export interface ExportOptions extends ExportSources {
  readonly toVisitor: (context: Context) => Visitor;
  /** Counts the requests of each address. */
  readonly requests: RateLimiter;
  readonly findSession: (cookie: string | undefined) => Promise<Session | null>;
}

/** Everything that is the player's, as a download of JSON, sent as it is read; it answers with a file, so it is none of the protocol's routes. */
export function mountAccountExport(app: OpenAPIHono, options: ExportOptions): void {
  const exports = makeRateLimiter(options.time, EXPORTS_PER_PLAYER);
  app.get(PATH, async (context) => {
    const visitor = options.toVisitor(context);
    if (!options.requests.tryAcquire(visitor.address)) return toRefusal(context, "too_many_requests");
    const session = await options.findSession(visitor.cookie);
    if (session === null) return toRefusal(context, "login_required");
    if (!exports.tryAcquire(session.player.id)) return toRefusal(context, "too_many_requests");
    const sections = await loadSections(options, session);
    return context.body(toStream(toFile(options, session.player.id, sections)), 200, {
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="holo-arena-account.json"',
      "content-type": "application/json; charset=utf-8",
    });
  });
  app.all(PATH, (context) => {
    context.header("allow", "GET");
    return toRefusal(context, "method_not_allowed");
  });
}

/** What is short. Read before the answer begins, so that whatever is wrong with the database can still be said. */
async function loadSections(
  { accounts, arena, payments, queries, time }: ExportSources,
  { player, token, role }: Session,
): Promise<Readonly<Record<string, unknown>>> {
  const { id } = player;
  const [profile, wallet, limits, relations, sessions, bankAccounts, paid, reports, mailboxHashes, breaks] =
    await Promise.all([
      findProfile(queries, id),
      loadWallet(queries, id),
      loadOwnLimits(queries, id, time.now()),
      loadRelations(queries, id),
      accounts.listSessions({ playerId: id, token }),
      payments.bankAccounts.list(id),
      payments.exportPayments(id),
      arena.exportReports(id),
      loadRegistrationBlockHashes(queries, id),
      loadSelfExclusions(queries, id),
    ]);
  return {
    about:
      "All that Holo Arena keeps of you. Instants are milliseconds since 1970 UTC, coins are millionths of a holocoin, naira are kobo.",
    exportedAt: time.now(),
    profile: { ...player, role, registeredAt: profile?.sinceAt ?? null },
    wallet: { balance: wallet?.balance ?? 0n },
    limits,
    breaks,
    sessions: sessions.map(({ userAgent, ...session }) => ({ ...session, device: toDevice(userAgent), userAgent })),
    relations,
    bankAccounts,
    payments: paid.map(toPaymentView),
    reports,
    mailboxHashes,
  };
}

async function* toFile(
  { arena, queries }: ExportSources,
  playerId: PlayerId,
  sections: Readonly<Record<string, unknown>>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${format(sections).slice(0, -1)}`);
  const lists = {
    games: readPages<Row<"exportGames">>((last) => arena.exportGames(playerId, last, PAGE_ROWS)),
    entries: readPages<StatementRow>((last) =>
      loadStatement(queries, playerId, { before: last?.id ?? null, kind: null, limit: PAGE_ROWS }),
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

/** Sums beyond what JSON's numbers carry exactly are written as text. */
function format(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) => (typeof one === "bigint" ? String(one) : one));
}
