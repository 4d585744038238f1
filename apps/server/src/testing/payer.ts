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

/** The players take turns: order, pay at the provider, ask until the coins are there. */
export function startPayer({ origin, page, sandbox, players, pauseMs = 0 }: PayerOptions): Payer {
  const completed: string[] = [];
  let isStopped = false;
  async function send(player: TestPlayer, address: string, body: object): Promise<Response> {
    const headers = { "content-type": "application/json", origin: page, cookie: player.cookie };
    return await fetch(`${origin()}${address}`, { method: "POST", headers, body: JSON.stringify(body) });
  }
  async function pay(player: TestPlayer): Promise<void> {
    const order = { commandId: randomUUID(), kobo: 500_000, rateKobo: 30_600 };
    const begun = await send(player, "/api/deposits", order);
    // Each player may begin twenty, then one in half a minute. A proxy may answer without a body.
    if (!begun.ok) return;
    const { payment } = (await begun.json()) as { readonly payment: { readonly reference: string } };
    const { reference } = payment;
    await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
    await until(async () => {
      const checked = await send(player, "/api/deposits/check", { reference });
      return checked.ok && ((await checked.json()) as { readonly status: string }).status === "completed";
    });
    completed.push(reference);
  }
  const ended = (async () => {
    for (let turn = 0; !isStopped; turn += 1) {
      await pay(players[turn % players.length]!);
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
    "select reference from payments where kind = 'deposit' and money = 'credited'",
  );
  const credited = new Set(rows.map(({ reference }) => reference));
  return references.filter((reference) => !credited.has(reference));
}
