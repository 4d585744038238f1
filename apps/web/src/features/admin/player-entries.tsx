import { type Coins, formatCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { StatementRowView } from "@holo/protocol/wallet-views.ts";
import { Link } from "wouter";
import { fetchApi } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { usePages } from "../../lib/use-pages.ts";
import { ENTRY_WORDS } from "../../ui/money/entry-words.ts";
import { ShowMore } from "../../ui/show-more.tsx";
import { Awaited } from "./awaited.tsx";
import { adminKey } from "./use-overview.ts";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };
/** All six, so that an operator sees what the ledger says. */
const DECIMALS = 6;

interface PlayerEntriesProps {
  /** Who looks. */
  readonly playerId: string;
  readonly chosen: string;
}

/** What the ledger says of a player's wallet. */
export function PlayerEntries({ playerId, chosen }: PlayerEntriesProps) {
  const query = usePages({
    queryKey: adminKey(playerId, "entries", chosen),
    load: (before, signal) => fetchApi("playerEntries", { params: { id: chosen }, query: { before } }, signal),
    toRows: (page) => page.rows,
  });
  return (
    <Awaited query={query} loading="Loading entries..." failed="The entries could not be loaded.">
      {(rows) => (
        <>
          {rows.length === 0 && <p className="muted">There are none.</p>}
          <ul className="file-entries">
            {rows.map((row) => (
              <EntryRow key={row.id} row={row} />
            ))}
          </ul>
          <ShowMore query={query} />
        </>
      )}
    </Awaited>
  );
}

function EntryRow({ row }: { readonly row: StatementRowView }) {
  const { id, at, kind, gameId, reference } = row;
  const debtChange = readCoins(row.debtChange);
  return (
    <li>
      <p>
        <b>{ENTRY_WORDS[kind]}</b>{" "}
        {gameId !== null && (
          <Link href={`/game/${gameId}`} className="link">
            Game {gameId.slice(0, 8)}
          </Link>
        )}
        {gameId === null && reference !== null && <span className="meta">{reference}</span>}
        <span className="meta when">
          {new Date(at).toLocaleString("en-GB", TIME)}, entry {id}
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
