import { type Coins, formatCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { ConnectionState } from "../../../lib/socket/connection-status.ts";
import { LOW_TIME_MS, type Tick, toClockTick, toCountdownTick } from "../clock/ticking.ts";
import { toReceived } from "../offers/offers-view.ts";
import { toTurnText } from "../status/turn-text.ts";
import { isTimed, type TableViewModel, toName, toOpponent, toRemainingMs } from "../view-model.ts";

export interface GameBarText {
  readonly title: string;
  readonly detail: string;
  readonly isOwn: boolean;
  /** The winnings, or that the game is free. */
  readonly sum: string;
  /** The time of the player to move, by the server's clock. */
  readonly tick: (now: number) => Tick;
  readonly isLow: (now: number) => boolean;
}

/** What the bar says of an active game: the own turn first, then an offer. */
export function toGameBarText(viewModel: TableViewModel, connection: ConnectionState): GameBarText {
  const { shown, seat, turn, terms } = viewModel;
  const { title, until, isOwn } = toTurnText(viewModel, connection);
  const [offer] = toReceived(viewModel);
  const isRunning = isTimed(viewModel) && shown.table.clock.turnStartedAt !== null;
  const toMs = (now: number) => (turn === null ? 0 : toRemainingMs(viewModel, turn, now));
  return {
    title: isOwn ? title : (offer?.title ?? title),
    detail: seat === null ? "" : `against ${toName(viewModel, toOpponent(seat))}`,
    isOwn,
    sum: formatSum(terms.winnings),
    tick: (now) => (until === null ? toClockTick(toMs(now), isRunning) : toCountdownTick(until, now)),
    // A minute for the first move is low too, if it is the player's own.
    isLow: (now) => (until === null ? toMs(now) < LOW_TIME_MS : isOwn),
  };
}

/** "240 HC", "64.44 HC", rounded up as prices are; "Free" for nothing. */
export function formatSum(coins: Coins): string {
  return coins === ZERO_COINS ? "Free" : `${formatCoins(coins, "up").replace(/\.00$/, "")} HC`;
}
