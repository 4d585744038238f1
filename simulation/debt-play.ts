import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { GameId } from "@holo/kernel/ids.ts";
import type { SandboxControl } from "../apps/sandbox/src/testing/sandbox-control.ts";
import type { Command, CommandAnswer } from "../apps/web/src/lib/socket/command-queue.ts";
import type { ArenaDatabase } from "../e2e/support/database.ts";
import { type Account, PASSWORD } from "./account.ts";
import type { Robot } from "./robot.ts";

export interface Actor {
  readonly account: Account;
  readonly robot: Robot;
}

interface DebtPlayDeps {
  readonly url: string;
  readonly database: Pick<ArenaDatabase, "addCoins" | "verify">;
  readonly provider: Pick<SandboxControl, "decideCharge">;
  /** Begins without coins. */
  readonly debtor: Actor;
  /** Begins without coins. */
  readonly winner: Actor;
  /** Aborts the course at any step. */
  readonly ending: AbortSignal;
}

type Body = Readonly<Record<string, unknown>>;

const POLL_MS = 50;
const STAKE = 1;
const LEAST_KOBO = 500_000;
/** Enough for one buy-in (12 and the fee). Winnings come too late for another one. */
const WINNERS_COINS = 14;
/** Enough for two buy-ins, one of which is lost. */
const DEBTORS_COINS = 30;
/** From then on a player resigns instead of cancelling. */
const PLIES = 4;
const BANK_ACCOUNT = { accountNumber: "1234567890", bankCode: "057" };

/**
 * Situations that robots hardly reach by chance: an opponent who offers a rematch and then spends
 * the coins for it, and a debt. If other faults interrupt the course, that is not a finding.
 */
export async function playDebt(deps: DebtPlayDeps): Promise<void> {
  const { ending, debtor, winner } = deps;
  const ended = new Promise<void>((resolve) => ending.addEventListener("abort", () => resolve()));
  try {
    await Promise.race([ended, play(deps)]);
  } finally {
    debtor.robot.close();
    winner.robot.close();
  }
}

async function play({ url, database, provider, debtor, winner, ending }: DebtPlayDeps): Promise<void> {
  async function call<Answer>({ account }: Actor, path: string, body?: Body): Promise<Answer | null> {
    const headers = { cookie: account.cookie, origin: url, "content-type": "application/json" };
    const order = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    try {
      const response = await fetch(`${url}${path}`, order);
      return response.ok ? ((await response.json()) as Answer) : null;
    } catch {
      // The server is down, or the answer is lost.
      return null;
    }
  }

  /** Waits for a value. Never resolves once the course is over. */
  async function until<Value>(find: () => Promise<Value | null | false> | Value | null | false): Promise<Value> {
    for (;;) {
      const found = await find();
      if (ending.aborted) return await new Promise<never>(() => undefined);
      if (found !== null && found !== false) return found;
      await sleep(POLL_MS);
    }
  }

  const persist = (act: () => Promise<unknown>): Promise<true> =>
    until(() =>
      act().then(
        () => true,
        () => null,
      ),
    );
  const loadFeeBps = (): Promise<number> =>
    until(async () => (await debtor.account.loadSession())?.settings.feeBps ?? null);
  const hasCoins = async (): Promise<boolean | null> => {
    const session = await debtor.account.loadSession();
    return session === undefined ? null : session.balance !== "0";
  };
  const order = async (actor: Actor, command: Command): Promise<GameId | null> =>
    toGameId(await actor.robot.send(command));
  const invite = async (): Promise<GameId | null> => {
    const terms = { game: "checkers", stake: STAKE, limitMinutes: 10, feeBps: await loadFeeBps() } as const;
    return await order(debtor, { type: "create", ...terms, byInvitation: true });
  };

  await persist(() => database.verify(winner.account.id));
  const { rateKobo } = await until(() => call<{ readonly rateKobo: number }>(winner, "/api/wallet"));
  const least = Math.ceil(LEAST_KOBO / rateKobo);
  const [winners, debtors] = [Math.max(WINNERS_COINS, least), Math.max(DEBTORS_COINS, least)];
  await persist(() => database.addCoins(winner.account.id, winners));
  const deposit = { commandId: randomUUID(), kobo: debtors * rateKobo, payKobo: debtors * rateKobo, rateKobo };
  const begun = await until(() =>
    call<{ readonly payment: { readonly reference: string } }>(debtor, "/api/deposits", deposit),
  );
  const { reference } = begun.payment;
  await persist(() => provider.decideCharge(reference, "pay"));
  await until(hasCoins);

  const gameId = await until(invite);
  const { token } = await until(() => call<{ readonly token: string }>(debtor, `/api/matches/${gameId}/invitation`));
  await until(() => order(winner, { type: "join", gameId, invitation: token }));
  await until(() => call(winner, "/api/accounts/verify", BANK_ACCOUNT));
  for (const { robot } of [debtor, winner]) robot.watch(gameId);
  const table = (actor: Actor) => actor.robot.shown()?.table ?? null;
  await until(async () => {
    for (const actor of [debtor, winner]) await moveOnce(actor);
    return (table(debtor)?.pliesEver ?? 0) >= PLIES;
  });
  await until(() => order(debtor, { type: "resign", gameId }));
  await until(() => table(winner)?.endedAt ?? null);

  await until(async () => order(winner, { type: "offer_rematch", gameId, feeBps: await loadFeeBps() }));
  const withdrawal = {
    ...BANK_ACCOUNT,
    commandId: randomUUID(),
    kobo: winners * rateKobo,
    feeKobo: 0,
    rateKobo,
    password: PASSWORD,
  };
  await until(() => call(winner, "/api/withdrawals", withdrawal));
  const { version } = await until(() => table(debtor)?.offers.rematch.pending ?? null);
  await debtor.robot.send({ type: "answer_rematch", gameId, offer: version, answer: "accept" });

  await persist(() => provider.decideCharge(reference, "reversed"));
  await until(async () => {
    await call(debtor, "/api/deposits/check", { reference });
    return (await hasCoins()) === false || null;
  });
  const unpaid = await invite();
  if (unpaid !== null) await debtor.robot.send({ type: "cancel", gameId: unpaid, whileWaiting: true });
}

function toGameId(answer: CommandAnswer): GameId | null {
  return answer.type === "refused" ? null : answer.gameId;
}

/** Plays the first legal move, if it is the player's turn. */
async function moveOnce({ account, robot }: Actor): Promise<void> {
  const shown = robot.shown();
  if (shown === null) return;
  const { table, rules } = shown;
  const seat = table.players.indexOf(account.id) + 1;
  const [move] = rules.legalMoves(table.position);
  if (rules.toMove(table.position) !== seat || move === undefined) return;
  await robot.send({ type: "move", gameId: table.gameId, atVersion: table.boardVersion, path: move.path });
}
