import { addCoins, type Coins, type Kobo, subtractCoins, toCoins, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { loadTotals } from "../journal/journal-store.ts";
import { decideRevenueLeft } from "../payments/decide-withdrawal-entry.ts";

/** What the platform earned and where it is. */
interface RevenueFigures {
  /** Platform fees of games that ended by win or draw. */
  readonly earned: Coins;
  /** Sent, as confirmed by the provider. */
  readonly withdrawn: Coins;
  readonly onTheWay: Coins;
  /** What may be withdrawn now (ruling 10). */
  readonly withdrawable: Coins;
}

/** What belongs to players, whether or not they can reach it now. */
export interface OwedFigures {
  /** Wallets, escrow and withdrawals on their way. */
  readonly coins: Coins;
  /** Wallets and escrow, to be converted at the current exchange rate. */
  readonly held: Coins;
  /** Withdrawals on their way, each at its own kobo amount. */
  readonly onTheWayKobo: Kobo;
}

export async function loadRevenueFigures(queries: Queries): Promise<RevenueFigures> {
  const [withdrawn, { revenue }, totals] = [
    await loadRevenueWithdrawn(queries),
    await loadOnTheWay(queries),
    await loadTotals(queries),
  ];
  return {
    earned: addCoins(totals.get("revenue") ?? ZERO_COINS, withdrawn),
    withdrawn: subtractCoins(withdrawn, revenue.coins),
    onTheWay: revenue.coins,
    withdrawable: decideRevenueLeft(totals),
  };
}

export async function loadOwedFigures(queries: Queries): Promise<OwedFigures> {
  const [totals, { players }] = [await loadTotals(queries), await loadOnTheWay(queries)];
  const held = addCoins(totals.get("wallet") ?? ZERO_COINS, totals.get("escrow") ?? ZERO_COINS);
  return { coins: addCoins(held, players.coins), held, onTheWayKobo: players.kobo };
}

/** Coins withdrawn from the platform's revenue, less those that came back. */
async function loadRevenueWithdrawn(queries: Queries): Promise<Coins> {
  const { rows } = await sql<{ readonly withdrawn: Coins }>`
    select coalesce(-sum(posting.amount), 0)::bigint as withdrawn
    from ledger_entries entry join ledger_postings posting on posting.entry_id = entry.id
    join ledger_accounts account on account.id = posting.account_id and account.kind = 'revenue'
    where entry.kind in ('revenue_withdrawal', 'revenue_return')`.execute(queries);
  return rows[0]?.withdrawn ?? ZERO_COINS;
}

/** Coins held for withdrawals, and the kobo they will become. */
interface OnTheWay {
  readonly coins: Coins;
  readonly kobo: Kobo;
}

/** Holds of withdrawals that have not ended: of players, and of the platform's revenue. */
async function loadOnTheWay(queries: Queries): Promise<{ readonly players: OnTheWay; readonly revenue: OnTheWay }> {
  const { rows } = await sql<{ readonly kind: string; readonly coins: Coins; readonly kobo: bigint }>`
    select hold.kind, sum(posting.amount)::bigint as coins, sum((hold.details::jsonb ->> 'kobo')::bigint)::bigint as kobo
    from ledger_entries hold
    join ledger_postings posting on posting.entry_id = hold.id and posting.amount > 0
    where hold.kind in ('withdrawal_hold', 'revenue_withdrawal') and not exists (
      select from ledger_entries ended where ended.source = hold.source
        and ended.kind in ('withdrawal_return', 'revenue_return', 'withdrawal_paid'))
    group by hold.kind`.execute(queries);
  const of = (kind: string): OnTheWay => {
    const { coins, kobo } = rows.find((row) => row.kind === kind) ?? { coins: 0n, kobo: 0n };
    return { coins: toCoins(coins), kobo: toKobo(kobo) };
  };
  return { players: of("withdrawal_hold"), revenue: of("revenue_withdrawal") };
}
