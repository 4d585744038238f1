import { type Kobo, toKobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

export interface OpenPaymentTotal {
  readonly count: number;
  readonly kobo: Kobo;
}

/** Players' payments of which the provider has not said its last word: deposits begun, withdrawals on their way out. */
export async function loadOpenPaymentTotals(
  queries: Queries,
): Promise<{ readonly deposits: OpenPaymentTotal; readonly withdrawals: OpenPaymentTotal }> {
  const { rows } = await sql<{ readonly kind: string; readonly count: number; readonly kobo: bigint }>`
    select kind, count(*)::int as count, sum(kobo)::bigint as kobo from payments
    where status in ('pending', 'processing') and kind in ('deposit', 'withdrawal')
    group by kind`.execute(queries);
  const of = (kind: string): OpenPaymentTotal => {
    const { count, kobo } = rows.find((row) => row.kind === kind) ?? { count: 0, kobo: 0n };
    return { count, kobo: toKobo(kobo) };
  };
  return { deposits: of("deposit"), withdrawals: of("withdrawal") };
}
