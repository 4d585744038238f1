import { randomUUID } from "node:crypto";
import { toCommandId } from "@holo/kernel/ids.ts";
import { SESSION_ROUTES } from "@holo/protocol/accounts/session.ts";
import { PAYMENT_ROUTES } from "@holo/protocol/payments/payments.ts";
import type { View } from "@holo/protocol/route.ts";
import type { WebSocket } from "ws";
import { openControl } from "../../apps/sandbox/src/testing/sandbox-control.ts";
import { type Arena, type BenchPlayer, sendFrame } from "../servers/arena.ts";
import type { Pairs } from "../servers/pairs.ts";

/** Something that is done at an even rate until it is stopped. */
interface SteadyWork {
  readonly done: number;
  /** Waits for what is in progress. Throws what went wrong. */
  stop(): Promise<void>;
}

const KOBO = 500_000;

function startSteadyWork(perS: number, work: (turn: number) => Promise<boolean>): SteadyWork {
  const running = new Set<Promise<void>>();
  const faults: unknown[] = [];
  let turn = 0;
  let done = 0;
  const run = async (): Promise<void> => {
    turn += 1;
    if (await work(turn)) done += 1;
  };
  const timer = setInterval(() => {
    const one: Promise<void> = run()
      .catch((error) => void faults.push(error))
      .finally(() => running.delete(one));
    running.add(one);
  }, 1_000 / perS);
  return {
    get done() {
      return done;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** Players at tables take turns in writing to their opponents. */
export function startChats(perS: number, sockets: readonly WebSocket[], pairs: Pairs): SteadyWork {
  return startSteadyWork(perS, async (turn) => {
    const index = turn % sockets.length;
    const gameId = pairs.findGame(index);
    if (gameId === null) return false;
    sendFrame(sockets[index]!, { type: "chat", commandId: toCommandId(randomUUID()), gameId, text: "a good move" });
    return true;
  });
}

export async function startDeposits(perS: number, arena: Arena, players: readonly BenchPlayer[]): Promise<SteadyWork> {
  const { settings } = await send<View<typeof SESSION_ROUTES.session.response>>(
    arena,
    players[0]!,
    SESSION_ROUTES.session,
  );
  return startSteadyWork(perS, async (turn) => {
    const { payment, authorizationUrl } = await send<View<typeof PAYMENT_ROUTES.deposit.response>>(
      arena,
      players[turn % players.length]!,
      PAYMENT_ROUTES.deposit,
      { commandId: randomUUID(), kobo: KOBO, payKobo: KOBO, rateKobo: settings.rateKobo },
    );
    await openControl(new URL(authorizationUrl).origin).decideCharge(payment.reference, "pay");
    return true;
  });
}

async function send<Answer>(
  { origin: url }: Arena,
  { cookie }: BenchPlayer,
  { method, path }: { readonly method: string; readonly path: string },
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: method.toUpperCase(),
    headers: { cookie, origin: url, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
