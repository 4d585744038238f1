/**
 * Posts money transactions on several connections, in a process that shares one core with
 * PostgreSQL. Arguments: ledger or bare, game or withdrawal, connection string, seconds.
 */
import { randomUUID } from "node:crypto";
import process from "node:process";
import { openBareMoney } from "./bare-money.ts";
import { openLedgerMoney } from "./ledger-money.ts";
import { CONNECTIONS, type MoneyWriter } from "./money-terms.ts";

export type MoneyName = "ledger" | "bare";
export type MoneyWork = "game" | "withdrawal";

export interface MoneyMessage {
  readonly done: number;
  readonly elapsedMs: number;
}

const PLAYERS = 40;
/** Long enough for compiled code and planned statements. */
const WARM_UP_MS = 2_000;

async function run(money: MoneyWriter, work: MoneyWork, forMs: number): Promise<MoneyMessage> {
  const startedMs = performance.now();
  const endMs = startedMs + forMs;
  let done = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, lane) => {
      // Each connection has its own players, so locks are not contended.
      for (let turn = 0; performance.now() < endMs; turn += 1) {
        const place = lane * PLAYERS + ((turn * 2) % PLAYERS);
        if (work === "game") await money.game(randomUUID(), toPlayer(place), toPlayer(place + 1));
        else await money.withdrawal(randomUUID(), toPlayer(place));
        done += 1;
      }
    }),
  );
  return { done, elapsedMs: performance.now() - startedMs };
}

function toPlayer(place: number): string {
  return `bench-player-${place}`;
}

const [who, work, connectionString, seconds] = process.argv.slice(2) as [MoneyName, MoneyWork, string, string];
const players = Array.from({ length: CONNECTIONS * PLAYERS }, (_, place) => toPlayer(place));
const money = await (who === "ledger" ? openLedgerMoney : openBareMoney)(connectionString, players);
await run(money, work, WARM_UP_MS);
process.send?.("warm");
process.send?.(await run(money, work, Number(seconds) * 1_000));
await money.close();
process.disconnect?.();
