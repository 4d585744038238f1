import { checkers } from "@holo/checkers/checkers.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type { Page } from "@playwright/test";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { expect, type Person } from "./fixtures.ts";
import { connectRobot, playLine, type Robot } from "./robot.ts";

export const FOUR_PLIES = "c3-d4 b6-a5 g3-h4 f6-g5";

interface RobotGame {
  readonly gameId: GameId;
  readonly robots: readonly [Robot, Robot];
}

interface RobotTerms {
  readonly game?: GameType;
  readonly stake?: Stake;
  readonly minutes?: LimitMinutes;
}

type Seated = TestPlayer | Person;

/** Starts a game, of checkers by default, plays a line and opens it on the players' pages. */
export async function startRobotGame(
  white: Seated,
  black: Seated,
  url: string,
  line: string,
  { game = "checkers", stake = 1, minutes = 5 }: RobotTerms = {},
): Promise<RobotGame> {
  const robots = [await connectRobot(white, url), await connectRobot(black, url)] as const;
  const gameId = await robots[0].create(game, stake, minutes);
  await robots[1].join(gameId);
  if (line !== "") await playLine(gameId, robots, line);
  for (const player of [white, black]) if ("page" in player) await openGame(player.page, gameId);
  return { gameId, robots };
}

export async function openGame(page: Page, gameId: GameId): Promise<void> {
  await page.goto(`/game/${gameId}`);
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
}

export async function playPlies({ gameId, robots: [white, black] }: RobotGame, plies: number): Promise<void> {
  for (let ply = 0; ply < plies; ply += 1) {
    const { position, moves } = await white.waitForTable(gameId, () => true);
    const move = checkers.legalMoves(position as Parameters<typeof checkers.legalMoves>[0])[0]!;
    const mover = moves.length % 2 === 0 ? white : black;
    await mover.move(gameId, move.path.map(formatSquare).join("-"));
    await white.waitForTable(gameId, (table) => table.moves.length > moves.length);
  }
}

export function closeRobots(robots: readonly Robot[]): void {
  for (const robot of robots) robot.close();
}
