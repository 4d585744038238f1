import { formatChange, formatCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import {
  STATEMENT_KIND_NAMES,
  STATEMENT_KINDS,
  type StatementKind,
  toChangeRounding,
} from "@holo/protocol/payments/statement-kinds.ts";
import type { StatementRowView } from "@holo/protocol/payments/wallet.ts";
import { useState } from "react";
import { Link } from "wouter";
import { fetchApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { formatOpponent } from "../../../shared/money/payment-kinds.ts";
import { Button } from "../../../ui/button/button.tsx";
import { ShowMore } from "../../../ui/data/show-more.tsx";
import { Table } from "../../../ui/data/table.tsx";
import { Loading, Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import "./statement.css";

type StatementFilter = StatementKind | "all";

const STATEMENT_FILTERS: readonly { readonly value: StatementFilter; readonly text: string }[] = [
  { value: "all", text: "All transactions" },
  ...STATEMENT_KINDS.map((kind) => ({ value: kind, text: STATEMENT_KIND_NAMES[kind] })),
];

const CSV_URL = "/api/statement.csv";
const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

export function Statement({ playerId }: { readonly playerId: string }) {
  const [filter, setFilter] = useState<StatementFilter>("all");
  const [isExact, setExact] = useState(false);
  const query = usePages({
    queryKey: ["statement", playerId, filter],
    load: (before, signal) =>
      fetchApi("statement", { query: { before, ...(filter !== "all" && { kind: filter }) } }, signal),
    toRows: (page) => page.rows,
  });
  const { data: rows, isError, refetch } = query;

  return (
    <section className="statement" aria-labelledby="statement">
      <div className="statement-head">
        <h2 id="statement">Statement</h2>
        <SelectField
          label="Show transactions"
          labelHidden
          value={filter}
          options={STATEMENT_FILTERS}
          onChange={setFilter}
        />
        <Button size="small" aria-pressed={isExact} onClick={() => setExact(!isExact)}>
          Exact figures
        </Button>
        <a className="button secondary small" href={CSV_URL} download>
          <Icon name="download" />
          CSV
        </a>
      </div>
      {rows === undefined ? (
        isError ? (
          <p className="muted">
            We couldn't load the statement.{" "}
            <button type="button" className="link alone" onClick={() => void refetch()}>
              Try again
            </button>
          </p>
        ) : (
          <Loading text="Loading statement...">
            <Skeleton height="240px" />
          </Loading>
        )
      ) : rows.length === 0 ? (
        <p className="muted">
          {filter === "all" ? (
            "No transactions yet."
          ) : (
            <>
              No transactions of this kind.{" "}
              <button type="button" className="link alone" onClick={() => setFilter("all")}>
                Show all
              </button>
            </>
          )}
        </p>
      ) : (
        <Table
          caption="Transactions, newest first"
          columns={[
            { text: "Date" },
            { text: "Type" },
            { text: "Game or reference" },
            { text: "Amount", figures: true },
            { text: "Balance after", figures: true },
          ]}
        >
          {rows.map((row) => (
            <StatementRow key={row.id} row={row} isExact={isExact} />
          ))}
        </Table>
      )}
      <ShowMore query={query} />
    </section>
  );
}

function StatementRow({ row, isExact }: { readonly row: StatementRowView; readonly isExact: boolean }) {
  const amount = readCoins(row.amount);
  const debtChange = readCoins(row.debtChange);
  const decimals = isExact ? 6 : 2;
  const rounding = toChangeRounding(row.kind);
  return (
    <tr>
      <td className="date">
        <time dateTime={new Date(row.at).toISOString()}>{new Date(row.at).toLocaleString("en-GB", TIME)}</time>
      </td>
      <td className="entry">
        {STATEMENT_KIND_NAMES[row.kind]}
        {debtChange !== ZERO_COINS && (
          <span className="owed">Owed {formatChange(debtChange, rounding, decimals)} HC</span>
        )}
      </td>
      <td className="source">
        {row.gameId !== null ? (
          <Link href={`/game/${row.gameId}`} className="link alone">
            {formatOpponent(row.opponent)}
          </Link>
        ) : (
          row.reference
        )}
      </td>
      <td className="figures amount">{formatChange(amount, rounding, decimals)}</td>
      <td className="figures balance-after">{formatCoins(readCoins(row.balanceAfter), "down", decimals)}</td>
    </tr>
  );
}
