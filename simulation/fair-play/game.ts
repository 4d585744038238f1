import type { GameId } from "@holo/kernel/ids.ts";
import type { Answer } from "../../apps/server/src/game/game.ts";
import { type Account, type Arena, isEnded, newId } from "./arena.ts";
import type { Actor } from "./clock.ts";
import type { Draw } from "./draw.ts";
import type { GamePlan } from "./plan.ts";

/** How someone uses their clock. */
export interface Pace {
  readonly medianMs: number;
  /** People vary; a program that is asked for each move does not. */
  readonly spread: number;
}

interface Seated {
  readonly account: Account;
  readonly pace: Pace;
}

interface PlayedGame {
  readonly gameId: GameId;
  /** By seat. */
  readonly seats: readonly [Seated, Seated];
  readonly limitMs: number;
}

const LEAST_MS = 1_000;
const MOST_MS = 45_000;
const RESERVE_MS = 15_000;
const OPENING_PLIES = 6;
const AFTER_FLAG_MS = 3_000;

/** Plays the plan on the server's table, for both, and returns once the game has ended. */
export async function playGame(
  arena: Arena,
  actor: Actor,
  draw: Draw,
  { gameId, seats, limitMs }: PlayedGame,
  plan: GamePlan,
): Promise<void> {
  const { games } = arena.modules;
  const used = [0, 0];
  let version = 2;

  for (let ply = 0; ply < plan.plies; ply += 1) {
    const side = ply % 2;
    const { account, pace } = seats[side]!;
    const { path, promotion, choices } = plan.line.plies[ply]!;
    const leftMs = limitMs - used[side]! - RESERVE_MS;
    const fromAt = actor.now();
    await actor.sleep(Math.max(LEAST_MS, Math.min(think(draw, pace, ply, choices), leftMs / 3)));
    used[side]! += actor.now() - fromAt;
    actor.isPrompt = true;
    const order = { player: account.id, commandId: newId(), gameId, atVersion: version, path, lagMs: 0 };
    const answer = await new Promise<Answer>((resolve) =>
      games.move(promotion === undefined ? order : { ...order, promotion }, resolve),
    );
    if (!isDone(answer, gameId)) return await untilEnded(arena, actor, gameId);
    actor.isPrompt = false;
    ({ version } = answer);
    if (answer.status === "ended") return;
  }
  await actor.sleep(draw.between(1_500, 8_000));
  await end(arena, actor, gameId, seats, plan, version, limitMs);
}

function think(draw: Draw, { medianMs, spread }: Pace, ply: number, choices: number): number {
  const median = choices === 1 ? medianMs / 4 : ply < OPENING_PLIES ? medianMs / 2 : medianMs;
  return Math.min(MOST_MS, draw.lognormal(median, spread));
}

async function end(
  arena: Arena,
  actor: Actor,
  gameId: GameId,
  seats: readonly [Seated, Seated],
  { end: how, loser, isOffline = false }: GamePlan,
  version: number,
  limitMs: number,
): Promise<void> {
  const { games } = arena.modules;
  const idOf = (seat: number) => seats[seat - 1]!.account.id;
  if (how === "resign") {
    const answer = await games.resign(idOf(loser!), gameId, newId());
    if (!isDone(answer, gameId)) await untilEnded(arena, actor, gameId);
  } else if (how === "flag") {
    const { lobby } = arena.modules;
    if (isOffline) lobby.disconnect(idOf(loser!));
    await actor.sleep(limitMs + AFTER_FLAG_MS);
    await untilEnded(arena, actor, gameId);
    if (isOffline) lobby.connect(idOf(loser!));
  } else if (how === "agreement") {
    const offered = await games.offer("offer_draw", idOf(1), gameId, newId());
    if (!isDone(offered, gameId)) return await untilEnded(arena, actor, gameId);
    await actor.sleep(2_000);
    const order = { player: idOf(2), commandId: newId(), gameId, offer: offered.version, atVersion: version };
    const answer = await games.answerOffer({ type: "answer_draw", ...order, answer: "accept" });
    if (!isDone(answer, gameId)) await untilEnded(arena, actor, gameId);
  } else throw new Error(`${gameId} did not end by the rules`);
}

/** False: the time was up, because it ran ahead of a slow machine. */
function isDone(answer: Answer, gameId: GameId): answer is Extract<Answer, { readonly type: "done" }> {
  if (answer.type === "done") return true;
  if (answer.type === "refused" && answer.code === "time_up") return false;
  throw new Error(`a command of ${gameId} was answered with ${JSON.stringify(answer)}`);
}

const LOOKS_MAX = 400;

async function untilEnded(arena: Arena, actor: Actor, gameId: GameId): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    arena.tick();
    if (await isEnded(arena, gameId)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (look % 50 === 49) await actor.sleep(2_000);
  }
  throw new Error(`the clock of ${gameId} did not run out`);
}
