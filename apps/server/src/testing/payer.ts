import { randomUUID } from "node:crypto";
import type { TestPlayer } from "../accounts/testing/test-players.ts";
import type { TestSandbox } from "../payments/testing/test-sandbox.ts";
import type { Database } from "../platform/database/database.ts";
import { until } from "./server-process.ts";

export interface Payer {
  /** References of the deposits that their players were told are completed. */
  readonly completed: readonly string[];
  /** Resolves once the last deposit has ended, which a server that never answers prevents. */
  stop(): Promise<void>;
}

interface PayerOptions {
  readonly origin: () => string;
  readonly page: string;
  readonly sandbox: Pick<TestSandbox, "order">;
  readonly players: readonly TestPlayer[];
  /** Between two deposits. */
  readonly pauseMs?: number;
}

type Place = Omit<PayerOptions, "players" | "pauseMs">;

/** Orders, pays at the provider, asks until the coins are there. Null if no deposit was begun. */
async function pay({ origin, page, sandbox }: Place, { cookie }: TestPlayer): Promise<string | null> {
  const send = async (address: string, body: object): Promise<Response> => {
    const headers = { "content-type": "application/json", origin: page, cookie };
    return await fetch(`${origin()}${address}`, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const begun = await send("/api/deposits", {
    commandId: randomUUID(),
    kobo: 500_000,
    payKobo: 500_000,
    rateKobo: 30_600,
  });
  // Each player may begin twenty, then one in half a minute. A proxy may answer without a body.
  if (!begun.ok) return null;
  const { payment } = (await begun.json()) as { readonly payment: { readonly reference: string } };
  const { reference } = payment;
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await until(async () => {
    const checked = await send("/api/deposits/check", { reference });
    return checked.ok && ((await checked.json()) as { readonly status: string }).status === "completed";
  });
  return reference;
}

/** The players take turns. */
export function startPayer({ players, pauseMs = 0, ...place }: PayerOptions): Payer {
  const completed: string[] = [];
  let isStopped = false;
  const ended = (async () => {
    for (let turn = 0; !isStopped; turn += 1) {
      const reference = await pay(place, players[turn % players.length]!);
      if (reference !== null) completed.push(reference);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return {
    completed,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

/** Deposits that the database does not know as credited. */
export async function findLostDeposits(
  { pool }: Pick<Database, "pool">,
  references: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ reference: string }>(
    "select reference from payments where kind = 'deposit' and kept_kobo > 0",
  );
  const credited = new Set(rows.map(({ reference }) => reference));
  return references.filter((reference) => !credited.has(reference));
}
