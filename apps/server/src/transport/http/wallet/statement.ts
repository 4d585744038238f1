import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, formatCoins } from "@holo/kernel/money.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import { STATEMENT_KIND_NAMES, type StatementKind } from "@holo/protocol/payments/statement-kinds.ts";
import type { StatementRowView } from "@holo/protocol/payments/wallet.ts";
import { loadOpponents } from "../../../game/game.ts";
import { loadStatement, type StatementRow } from "../../../ledger/ledger.ts";
import type { Queries } from "../../../platform/database/database.ts";
import { makeRateLimiter } from "../../../platform/rate-limiter.ts";
import type { Time } from "../../../platform/time/time.ts";
import type { AccessDeps } from "../access.ts";
import { toStream } from "../file-stream.ts";
import { type Handlers, type HttpApp, mountFileRoute } from "../routes.ts";
import { formatCsvLine, formatCsvText } from "./csv.ts";

const PAGE_ROWS = 50;
const FILE_PAGE_ROWS = 500;
/** A file reads a player's whole history: much more than a page. */
const FILES_PER_PLAYER = { burst: 5, refillMs: 60_000 };
const FILE_HEAD = [
  "Transaction",
  "Date",
  "Type",
  "Amount HC",
  "Balance after HC",
  "Debt change HC",
  "Game",
  "Opponent",
  "Payment",
  "Reference",
];

export function makeStatementHandlers({ queries }: { readonly queries: Queries }): Handlers<"statement"> {
  return {
    async statement({ session, query }) {
      const { before, kind = null } = query;
      const page = { before: before === undefined ? null : BigInt(before), kind, limit: PAGE_ROWS + 1 };
      const found = await loadStatement(queries, session.player.id, page);
      const rows = await loadRowViews(queries, session.player.id, found.slice(0, PAGE_ROWS));
      return ok({ body: { rows, next: found.length > PAGE_ROWS ? (rows.at(-1)?.id ?? null) : null } });
    },
  };
}

interface StatementFileDeps extends AccessDeps {
  readonly queries: Queries;
  readonly time: Time;
}

export function mountStatementFile(app: HttpApp, deps: StatementFileDeps): void {
  const files = makeRateLimiter(deps.time, FILES_PER_PLAYER);
  mountFileRoute(app, "statementFile", deps, async (context, { session }) => {
    if (!files.tryAcquire(session.player.id)) return refuse("too_many_requests");
    const pages = readPages(deps.queries, session.player.id);
    // A database fault appears here, before the response has begun.
    const first = await pages.next();
    const response = context.body(toStream(toFile(first.done === true ? [] : first.value, pages)), 200, {
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="holo-arena-statement.csv"',
      "content-type": "text/csv; charset=utf-8",
    });
    return ok(response);
  });
}

type NamedRow = StatementRow & Pick<StatementRowView, "opponent">;

async function addOpponents(
  queries: Queries,
  playerId: PlayerId,
  rows: readonly StatementRow[],
): Promise<readonly NamedRow[]> {
  const gameIds = [...new Set(rows.flatMap(({ gameId }) => (gameId === null ? [] : [gameId])))];
  const opponents = await loadOpponents(queries, playerId, gameIds);
  return rows.map((row) => ({ ...row, opponent: (row.gameId && opponents.get(row.gameId)) ?? null }));
}

async function* readPages(queries: Queries, playerId: PlayerId): AsyncGenerator<readonly NamedRow[], void> {
  let before: bigint | null = null;
  for (;;) {
    const rows: readonly StatementRow[] = await loadStatement(queries, playerId, {
      before,
      kind: null,
      limit: FILE_PAGE_ROWS,
    });
    yield await addOpponents(queries, playerId, rows);
    if (rows.length < FILE_PAGE_ROWS) return;
    before = rows.at(-1)?.id ?? null;
  }
}

async function* toFile(
  first: readonly NamedRow[],
  rest: AsyncIterable<readonly NamedRow[]>,
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
  opponent,
  paymentId,
  reference,
}: NamedRow): string {
  return formatCsvLine([
    String(id),
    new Date(at).toISOString(),
    formatCsvText(STATEMENT_KIND_NAMES[kind as StatementKind]),
    ...[amount, balanceAfter, debtChange].map(formatFigure),
    ...[gameId, opponent, paymentId, reference].map((text) => formatCsvText(text ?? "")),
  ]);
}

/** All six decimals, as spreadsheets read them: a hyphen for minus, no separators. */
function formatFigure(coins: Coins): string {
  return formatCoins(coins, "down", 6).replaceAll(",", "").replace("−", "-");
}

/** `playerId`: whose statement it is. */
export async function loadRowViews(
  queries: Queries,
  playerId: PlayerId,
  rows: readonly StatementRow[],
): Promise<StatementRowView[]> {
  return (await addOpponents(queries, playerId, rows)).map(toRowView);
}

function toRowView({ paymentId: _, id, amount, balanceAfter, debtChange, kind, ...row }: NamedRow): StatementRowView {
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
