import { type Coins, formatCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { STATEMENT_KIND_NAMES } from "@holo/protocol/payments/statement-kinds.ts";
import type { StatementRowView } from "@holo/protocol/payments/wallet.ts";
import { Link } from "wouter";
import { fetchApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { formatOpponent } from "../../../shared/money/payment-kinds.ts";
import { ShowMore } from "../../../ui/data/show-more.tsx";
import { adminKey } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };
const DECIMALS = 6;

interface PlayerStatementProps {
  readonly viewerId: string;
  readonly shownId: string;
}

export function PlayerStatement({ viewerId, shownId }: PlayerStatementProps) {
  const query = usePages({
    queryKey: adminKey(viewerId, "entries", shownId),
    load: (before, signal) => fetchApi("playerEntries", { params: { id: shownId }, query: { before } }, signal),
    toRows: (page) => page.rows,
  });
  return (
    <Loaded query={query} loading="Loading transactions..." failed="We couldn't load the transactions.">
      {(rows) => (
        <>
          {rows.length === 0 && <p className="muted">No transactions.</p>}
          <ul className="player-statement">
            {rows.map((row) => (
              <StatementRow key={row.id} row={row} />
            ))}
          </ul>
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}

function StatementRow({ row }: { readonly row: StatementRowView }) {
  const { id, at, kind, gameId, reference } = row;
  const debtChange = readCoins(row.debtChange);
  return (
    <li>
      <p>
        <b>{STATEMENT_KIND_NAMES[kind]}</b>{" "}
        {gameId !== null && (
          <Link href={`/game/${gameId}`} className="link alone">
            {formatOpponent(row.opponent)}
          </Link>
        )}
        {gameId === null && reference !== null && <span className="meta">{reference}</span>}
        <span className="meta when">
          {new Date(at).toLocaleString("en-GB", TIME)}, transaction {id}
        </span>
      </p>
      <p className="sum">
        <b>{formatGain(readCoins(row.amount))}</b>
        <span className="meta">{formatCoins(readCoins(row.balanceAfter), "down", DECIMALS)} after</span>
        {debtChange !== ZERO_COINS && <span className="meta">owed {formatGain(debtChange)}</span>}
      </p>
    </li>
  );
}

function formatGain(coins: Coins): string {
  return `${coins > ZERO_COINS ? "+" : ""}${formatCoins(coins, "down", DECIMALS)}`;
}
