import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, formatCoins } from "@holo/kernel/money.ts";
import { ok } from "@holo/kernel/result.ts";
import type { StatementKind, StatementRowView } from "@holo/protocol/payments.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Session, Visitor } from "../../../accounts/accounts.ts";
import { loadStatement, type StatementRow } from "../../../ledger/ledger.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { RateLimiter } from "../../../platform/rate-limiter.ts";
import { toStream } from "../file-stream.ts";
import { toRefusal } from "../refusal.ts";
import type { Handlers } from "../routes.ts";
import { requireSession } from "../session.ts";
import { formatCsvLine, formatCsvText } from "./csv.ts";

const PAGE_ROWS = 50;
const FILE_PAGE_ROWS = 500;
const FILE_PATH = "/api/statement.csv";
const FILE_HEAD = [
  "Entry",
  "Date",
  "Kind",
  "Amount HC",
  "Balance after HC",
  "Debt change HC",
  "Game",
  "Payment",
  "Reference",
];

/** A player's statement, page by page. */
export function makeStatementHandlers({ queries }: { readonly queries: Queries }): Handlers<"statement"> {
  return {
    async statement(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { before, kind = null } = call.query;
      const page = { before: before === undefined ? null : BigInt(before), kind, limit: PAGE_ROWS + 1 };
      const found = await loadStatement(queries, session.value.player.id, page);
      const rows = found.slice(0, PAGE_ROWS).map(toRowView);
      return ok({ body: { rows, next: found.length > PAGE_ROWS ? (rows.at(-1)?.id ?? null) : null } });
    },
  };
}

export interface StatementFileOptions {
  readonly queries: Queries;
  readonly toVisitor: (context: Context) => Visitor;
  /** Counts the requests of each address. */
  readonly requests: RateLimiter;
  readonly findSession: (cookie: string | undefined) => Promise<Session | null>;
}

/** The whole statement as a download, sent as it is read: it can be long, and answers with a file, so it is none of the protocol's routes. */
export function mountStatementFile(app: OpenAPIHono, options: StatementFileOptions): void {
  const { queries, toVisitor, requests, findSession } = options;
  app.get(FILE_PATH, async (context) => {
    const visitor = toVisitor(context);
    if (!requests.tryAcquire(visitor.address)) return toRefusal(context, "too_many_requests");
    const session = await findSession(visitor.cookie);
    if (session === null) return toRefusal(context, "login_required");
    const pages = readPages(queries, session.player.id);
    // Whatever is wrong with the database shows here, where it can still be said.
    const first = await pages.next();
    return context.body(toStream(toFile(first.done === true ? [] : first.value, pages)), 200, {
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="holo-arena-statement.csv"',
      "content-type": "text/csv; charset=utf-8",
    });
  });
  app.all(FILE_PATH, (context) => {
    context.header("allow", "GET");
    return toRefusal(context, "method_not_allowed");
  });
}

async function* readPages(queries: Queries, playerId: PlayerId): AsyncGenerator<readonly StatementRow[], void> {
  let before: bigint | null = null;
  for (;;) {
    const rows: readonly StatementRow[] = await loadStatement(queries, playerId, {
      before,
      kind: null,
      limit: FILE_PAGE_ROWS,
    });
    yield rows;
    if (rows.length < FILE_PAGE_ROWS) return;
    before = rows.at(-1)?.id ?? null;
  }
}

async function* toFile(
  first: readonly StatementRow[],
  rest: AsyncIterable<readonly StatementRow[]>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(formatCsvLine(FILE_HEAD.map(formatCsvText)) + first.map(toLine).join(""));
  for await (const rows of rest) yield encoder.encode(rows.map(toLine).join(""));
}

function toLine({
  id,
  at,
  kind,
  amount,
  balanceAfter,
  debtChange,
  gameId,
  paymentId,
  reference,
}: StatementRow): string {
  return formatCsvLine([
    String(id),
    new Date(at).toISOString(),
    formatCsvText(kind),
    ...[amount, balanceAfter, debtChange].map(formatFigure),
    ...[gameId, paymentId, reference].map((text) => formatCsvText(text ?? "")),
  ]);
}

/** All six decimals, as spreadsheets read them: a hyphen for minus, no separators. */
function formatFigure(coins: Coins): string {
  return formatCoins(coins, "down", 6).replaceAll(",", "").replace("−", "-");
}

export function toRowView({ id, amount, balanceAfter, debtChange, kind, ...row }: StatementRow): StatementRowView {
  return {
    ...row,
    id: String(id),
    // The others of the ledger's kinds touch no wallet.
    kind: kind as StatementKind,
    amount: String(amount),
    balanceAfter: String(balanceAfter),
    debtChange: String(debtChange),
  };
}
