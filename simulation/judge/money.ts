import type { PlayerId } from "@holo/kernel/ids.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { Evidence } from "./evidence.ts";
import { findPlayers } from "./frames.ts";

const MICRO = 1_000_000n;

/** Every balance that was pushed is the one of its sequence. */
export function findWrongWallets({ clients, wallets }: Evidence): string[] {
  const found: string[] = [];
  for (const { account, connections } of clients) {
    if (account === null) continue;
    const balances = wallets.get(account.id) ?? [];
    for (const { received } of connections)
      for (const { frame } of received)
        if (frame.type === "wallet" && balances[frame.sequence - 1]?.balance !== BigInt(frame.balance))
          found.push(`${account.username} was sent the balance ${frame.balance} as number ${frame.sequence}`);
  }
  return found;
}

/** Every game pays what its log says, computed without the product's code. */
export function findWrongPayments({ games }: Evidence): string[] {
  const found: string[] = [];
  for (const [gameId, game] of games) {
    const due = new Map<PlayerId, bigint>();
    const add = (player: PlayerId | null, amount: bigint): void => {
      if (player !== null) due.set(player, (due.get(player) ?? 0n) + amount);
    };
    const players = findPlayers(game);
    const first = game.log[0]?.events[0];
    if (first?.type !== "created") continue;
    const total = BigInt(first.stake) * BigInt(gameOf(first.game).pieceCount) * MICRO;
    const buyIn = total + (total * BigInt(first.feeBps)) / 10_000n;
    for (const { events } of game.log)
      for (const event of events) {
        if (event.type === "created" || event.type === "joined") add(event.player, -buyIn);
        else if (event.type === "cancelled") for (const player of players) add(player, buyIn);
        else if (event.type === "ended" && event.winner === null) for (const player of players) add(player, total);
        else if (event.type === "ended") add(ofSeat(players, event.winner!), 2n * total);
      }
    for (const { player, amount } of game.payments) add(player, -amount);
    for (const [player, difference] of due)
      if (difference !== 0n) found.push(`${gameId}: ${player} was paid ${-difference} micro-coins beyond the log`);
  }
  return found;
}
