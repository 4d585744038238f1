import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "@holo/kernel/assert.ts";
import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType, Move, Square } from "@holo/rules/rules.ts";
import type { Page } from "@playwright/test";
import type { WebSocket } from "ws";
import { type Chosen, pressSquare } from "../../apps/web/src/shared/board/choice.ts";
import type { RandomGame } from "../random-games.ts";
import { sendFrame, waitForFrame } from "../servers/arena.ts";

interface PageGame {
  readonly game: GameType;
  readonly gameId: GameId;
  readonly mouse: Mouse;
  readonly opponent: WebSocket;
  readonly moves: RandomGame;
  readonly toPoint: (square: Square) => Point;
}

interface Pacing {
  /** Pause before each press and after each move of the opponent, until the page is idle. */
  readonly settledMs: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

type Mouse = (type: "mouseMoved" | "mousePressed" | "mouseReleased", at: Point) => Promise<void>;

/** Every third move of the player is dragged if possible; the others are pressed. */
const DRAGGED_EVERY = 3;
const DRAG_STEPS = 12;
const DRAG_STEP_MS = 16;
const PRESS_MS = 40;
const TIMEOUT_MS = 10_000;

/**
 * Plays the page's moves with the mouse and the opponent's over the socket. It never queries the
 * page, so the main thread does only the page's work. Throws if a press has no effect.
 */
export async function playOnPage(atPage: PageGame, { settledMs }: Pacing): Promise<void> {
  const { game, gameId, mouse, opponent, moves, toPoint } = atPage;
  const rules = rulesOf(game);
  let position = rules.start();
  const table = waitForFrame(opponent, "table");
  sendFrame(opponent, { type: "watch", gameId, since: 0 });
  let { version } = await table;
  for (const [ply, move] of moves.entries()) {
    await sleep(settledMs);
    const next = waitForVersion(opponent, version + 1);
    if (ply % 2 === 0) {
      const presses = toPresses(rules.legalMoves(position), move).map(toPoint);
      if (presses.length === 2 && ply % (2 * DRAGGED_EVERY) === 0) await drag(mouse, presses[0]!, presses[1]!);
      else for (const point of presses) await press(mouse, point, settledMs);
    } else {
      const { path, promotion } = move;
      const extra = promotion === undefined ? {} : { promotion };
      sendFrame(opponent, {
        type: "move",
        commandId: toCommandId(randomUUID()),
        gameId,
        atVersion: version,
        path,
        ...extra,
      });
    }
    await next;
    version += 1;
    const played = rules.play(position, move.path, move.promotion);
    assert(played.ok, "the games are legal");
    position = played.value.position;
  }
  await sleep(settledMs);
}

/** The board offers promotion to a queen only. */
export function isPlayableByHand({ promotion }: Move): boolean {
  return promotion === undefined || promotion === "q";
}

/** The squares to press for a move; the board plays unambiguous paths to their end. */
function toPresses(legal: readonly Move[], { path }: Move): readonly Square[] {
  const open = legal.filter(isPlayableByHand);
  const presses: Square[] = [path[0]!];
  let chosen: Chosen = [path[0]!];
  for (;;) {
    const landing = path[chosen.length];
    assert(landing !== undefined, "a completely pressed path is played");
    presses.push(landing);
    const step = pressSquare(open, chosen, landing);
    if (step.type === "play") return presses;
    assert(step.type === "choose", "a landing of a legal move can be pressed");
    chosen = step.chosen;
  }
}

/** One DevTools message per step, to avoid Playwright's own work in the page. */
export async function openMouse(page: Page): Promise<Mouse> {
  const session = await page.context().newCDPSession(page);
  let buttons = 0;
  return async (type, { x, y }) => {
    const button = type === "mouseMoved" && buttons === 0 ? "none" : "left";
    if (type === "mousePressed") buttons = 1;
    if (type === "mouseReleased") buttons = 0;
    await session.send("Input.dispatchMouseEvent", { type, x, y, button, buttons, clickCount: 1 });
  };
}

export async function measureBoard(page: Page): Promise<(square: Square) => Point> {
  const box = await page.getByRole("grid", { name: "Board" }).boundingBox();
  assert(box !== null, "the board is shown");
  return (square) => ({
    x: box.x + (((square & 7) + 0.5) * box.width) / 8,
    y: box.y + (((square >> 3) + 0.5) * box.height) / 8,
  });
}

async function press(mouse: Mouse, at: Point, settledMs: number): Promise<void> {
  await mouse("mouseMoved", at);
  await sleep(settledMs / 2);
  await mouse("mousePressed", at);
  await sleep(PRESS_MS);
  await mouse("mouseReleased", at);
  await sleep(settledMs / 2);
}

async function drag(mouse: Mouse, from: Point, to: Point): Promise<void> {
  await mouse("mouseMoved", from);
  await mouse("mousePressed", from);
  for (let step = 1; step <= DRAG_STEPS; step += 1) {
    const share = step / DRAG_STEPS;
    await mouse("mouseMoved", { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
    await sleep(DRAG_STEP_MS);
  }
  await mouse("mouseReleased", to);
}

function waitForVersion(socket: WebSocket, version: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new Error(`no record ${version} arrived`))), TIMEOUT_MS);
    const receive = (data: unknown): void => {
      const frame = JSON.parse(String(data)) as ServerFrame;
      if (frame.type === "record" && frame.record.version >= version) finish(resolve);
      else if (frame.type === "refused") finish(() => reject(new Error(String(data))));
    };
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      socket.off("message", receive);
      settle();
    };
    socket.on("message", receive);
  });
}
