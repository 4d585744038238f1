import { checkers } from "@holo/checkers/checkers.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { expect, type Person } from "./fixtures.ts";
import { connectRobot, playLine, type Robot } from "./robot.ts";

/** Both players have made two moves. */
export const FOUR_PLIES = "c3-d4 b6-a5 g3-h4 f6-g5";

export interface Begun {
  readonly gameId: string;
  /** White's and black's. */
  readonly robots: readonly [Robot, Robot];
}

/** A game of checkers under way for 1 HC a piece, both at its page. */
export async function begin(white: Person, black: Person, url: string, line: string): Promise<Begun> {
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

/** So many plies more of a game of checkers, whichever moves are legal. */
export async function playOn({ gameId, robots: [white, black] }: Begun, plies: number): Promise<void> {
  for (let ply = 0; ply < plies; ply += 1) {
    const { position, moves } = await white.see(gameId, () => true);
    const move = checkers.legalMoves(position as Parameters<typeof checkers.legalMoves>[0])[0]!;
    const mover = moves.length % 2 === 0 ? white : black;
    await mover.move(gameId, move.path.map(formatSquare).join("-"));
    await white.see(gameId, (table) => table.moves.length > moves.length);
  }
}

export function closeAll(robots: readonly Robot[]): void {
  for (const robot of robots) robot.close();
}
