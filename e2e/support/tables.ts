import { checkers } from "@holo/checkers/checkers.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { expect, type Person } from "./fixtures.ts";
import { connectRobot, playLine, type Robot } from "./robot.ts";

/** Two moves of each player. */
export const FOUR_PLIES = "c3-d4 b6-a5 g3-h4 f6-g5";

interface RobotGame {
  readonly gameId: GameId;
  /** White, black. */
  readonly robots: readonly [Robot, Robot];
}

/** Starts a game of checkers for 1 HC a piece, plays a line and opens the game on both pages. */
export async function startRobotGame(white: Person, black: Person, url: string, line: string): Promise<RobotGame> {
  const robots = [await connectRobot(white, url), await connectRobot(black, url)] as const;
  const gameId = await robots[0].create("checkers", 1);
  await robots[1].join(gameId);
  await playLine(gameId, robots, line);
  for (const { page } of [white, black]) {
    await page.goto(`/game/${gameId}`);
    await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
  }
  return { gameId, robots };
}

/** Plays the first legal move this many times. */
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
