import type { GameId } from "@holo/kernel/ids.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { formatNaira, toKobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import type { Waiting } from "../game/game.ts";

/** What a browser shows while no page of the player is in sight (ruling 45). */
export interface Notice {
  /** Once per event and browser. */
  readonly event: string;
  readonly kind: "push_joined" | "push_waiting" | "push_payment";
  readonly title: string;
  readonly body: string;
  /** A newer notice with the same tag replaces the older one, also one that a page has shown. */
  readonly tag: string;
  readonly path: string;
  /** It is useless after this. */
  readonly forMs: number;
}

const WAITING: Readonly<Record<Waiting, { readonly title: string; readonly body: string; readonly forMs: number }>> = {
  time: { title: "Your turn", body: "You have less than a minute left.", forMs: 45 * SECOND_MS },
  draw: { title: "Draw offered", body: "Your opponent offers a draw.", forMs: 2 * MINUTE_MS },
  takeback: { title: "Takeback requested", body: "Your opponent asks to take a move back.", forMs: 2 * MINUTE_MS },
  rematch: { title: "Rematch?", body: "Your opponent wants to play again.", forMs: MINUTE_MS },
};

export function toJoinedNotice(gameId: GameId): Notice {
  return {
    event: `joined ${gameId}`,
    kind: "push_joined",
    title: "Opponent joined",
    body: "Your game begins. Make your first move within a minute.",
    tag: `game-${gameId}`,
    path: `/game/${gameId}`,
    forMs: MINUTE_MS,
  };
}

/** @param version of the game's log, so that each offer is told once */
export function toWaitingNotice(waiting: Waiting, gameId: GameId, version: number): Notice {
  const tag = waiting === "time" ? `game-${gameId}` : `${waiting}-${gameId}`;
  const event = `${waiting} ${gameId} ${version}`;
  return { event, kind: "push_waiting", ...WAITING[waiting], tag, path: `/game/${gameId}` };
}

/** Null while its outcome is open. */
export function toPaymentNotice({ id, kind, status, kobo }: PaymentView): Notice | null {
  if (status !== "completed" && status !== "failed" && status !== "reversed") return null;
  return {
    event: `payment ${id} ${status}`,
    kind: "push_payment",
    title: `${NAMES[kind]} ${status}`,
    body: formatNaira(toKobo(BigInt(kobo))),
    tag: `payment-${id}`,
    path: "/wallet",
    forMs: DAY_MS,
  };
}

const NAMES: Readonly<Record<PaymentView["kind"], string>> = {
  deposit: "Deposit",
  withdrawal: "Withdrawal",
  revenue: "Revenue withdrawal",
};
