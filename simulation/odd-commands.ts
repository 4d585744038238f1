import type { GameId } from "@holo/kernel/ids.ts";
import type { Random } from "@holo/kernel/random.ts";
import { CHAT_CHARACTERS_MAX } from "@holo/protocol/socket/socket-terms.ts";
import { randomUUID } from "../apps/server/src/platform/runtime.ts";
import type { Command } from "../apps/web/src/lib/socket/command-queue.ts";

/** Commands that the page never sends like this, so that their refusals are reached as well. */
export function chooseOddCommand(random: Random, gameId: GameId): Command {
  const odd: readonly Command[] = [
    { type: "chat", gameId, text: " " },
    { type: "chat", gameId, text: "x".repeat(CHAT_CHARACTERS_MAX + 1) },
    { type: "chat", gameId, text: "you idiot" },
    { type: "cancel", gameId, whileWaiting: true },
    { type: "resign", gameId },
    { type: "resign", gameId: randomUUID() as GameId },
    { type: "join", gameId },
  ];
  return odd[random(odd.length)]!;
}

/** A visitor may watch only. */
export function chooseVisitorCommand(random: Random, feeBps: number): Command {
  const gameId = randomUUID() as GameId;
  const commands: readonly Command[] = [
    { type: "create", game: "checkers", stake: 1, limitMinutes: 5, feeBps, byInvitation: false },
    { type: "join", gameId },
    { type: "cancel", gameId, whileWaiting: false },
  ];
  return commands[random(commands.length)]!;
}
