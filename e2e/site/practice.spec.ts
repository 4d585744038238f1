import { type CheckersPosition, checkers } from "@holo/checkers/checkers.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import type { Locator, Page } from "@playwright/test";
import {
  byClicks,
  byDrags,
  byKeys,
  findSquare,
  type InputMethod,
  readPieces,
  SHORT_CHECKERS,
  toPresses,
  toSquare,
} from "../support/board.ts";
import { auditAfterwards, expect, test, UNREACHABLE } from "../support/fixtures.ts";
import { EMPTY_PAGE } from "../support/page-pool.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

const YOUR_TURN = "Your Turn (White)";
const COMPUTER_TURN = "AI's Turn (Black)";
/**
 * The browser requests the favicon at any time, and the page requests the releases once when idle.
 */
const NOT_OF_PRACTICE = /\/favicon\.svg\b|\/api\/releases$/;
/** Specification 9. */
const COMPUTER_DELAY_MS = 500;

auditAfterwards();

function findPractice(page: Page): Locator {
  return page.getByRole("region", { name: "Ready to Play?" });
}

function findStatus(page: Page): Locator {
  return findPractice(page).locator(".practice-status");
}

function findAct(page: Page, name: "Take Back" | "Restart"): Locator {
  return findPractice(page).getByRole("button", { name });
}

function findSpoken(page: Page): Locator {
  return findPractice(page).locator("[aria-live=polite]");
}

async function openPractice(page: Page): Promise<void> {
  await page.goto("/");
  await expect(findStatus(page)).toHaveText(YOUR_TURN);
}

async function openPracticeInStoppedTime(page: Page): Promise<void> {
  await page.clock.install();
  await openPractice(page);
  await page.clock.pauseAt(Date.now() + 60_000);
}

async function findMove(page: Page): Promise<readonly string[]> {
  const sides = { white: "", black: "" };
  for (const name of await readPieces(page)) {
    const [, square, side, kind] = /^(..), (white|black) (man|king)$/.exec(name) ?? [];
    if (side === "white" || side === "black") sides[side] += `,${kind === "king" ? "K" : ""}${square}`;
  }
  const position = checkers.parsePosition(`W:W${sides.white.slice(1)}:B${sides.black.slice(1)}`);
  if (!position.ok) throw new Error(`the board shows no position: ${JSON.stringify(sides)}`);
  const moves = checkers.legalMoves(position.value);
  return toPresses(moves, moves[0]!.path);
}

async function playSomeMove(page: Page, hand: InputMethod): Promise<readonly string[]> {
  const presses = await findMove(page);
  await hand(page, presses);
  return presses;
}

// [WHAT-02 §1,6] Visitors can practise, read the money rules and read the information pages. Anything that stakes
// coins asks them to log in.
// [PRAC-01 §4,9] The computer answers after 500 ms with a random legal move.
test("a visitor plays checkers by mouse, by dragging and by keys, with announcements [WHAT-02 PRAC-01]", async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await openPracticeInStoppedTime(page);
  const hands: readonly InputMethod[] = [byClicks, byDrags, byKeys];
  for (const hand of hands) {
    const [from] = await playSomeMove(page, hand);
    await expect(findStatus(page)).toHaveText(COMPUTER_TURN);
    await expect(findSquare(page, from!)).toHaveAccessibleName(`${from}, empty`);
    await expect(findSpoken(page)).toHaveText(new RegExp(`^You: ${from} to .*\\. AI's Turn \\(Black\\)\\.$`));
    const own = await readPieces(page);

    await page.clock.runFor(COMPUTER_DELAY_MS - 1);
    await expect(findStatus(page)).toHaveText(COMPUTER_TURN);
    expect(await readPieces(page)).toEqual(own);
    await page.clock.runFor(1);
    await expect(findStatus(page)).toHaveText(YOUR_TURN);
    await expect(findSpoken(page)).toHaveText(/^AI: .* to .*\. Your Turn \(White\)\./);
    expect(await readPieces(page)).not.toEqual(own);
  }
});

// [HOME-06 §2] A visitor sees 'Ready to Play?' with the practice board, the buttons Take Back and Restart, the
// exchange rate and 'Start Playing Now', which links to login.
test("Take Back undoes the last move and its answer, Restart begins a new game [HOME-06]", async ({ newVisitor }) => {
  const page = await newVisitor();
  await openPracticeInStoppedTime(page);
  const start = await readPieces(page);
  await expect(findAct(page, "Take Back")).toBeDisabled();
  await byClicks(page, ["c3", "d4"]);
  await page.clock.runFor(COMPUTER_DELAY_MS);
  await expect(findStatus(page)).toHaveText(YOUR_TURN);
  const answered = await readPieces(page);

  await playSomeMove(page, byClicks);
  await expect(findStatus(page)).toHaveText(COMPUTER_TURN);
  await findAct(page, "Take Back").click();
  await expect(findStatus(page)).toHaveText(YOUR_TURN);
  expect(await readPieces(page)).toEqual(answered);
  await page.clock.runFor(2 * COMPUTER_DELAY_MS);
  await expect(findStatus(page)).toHaveText(YOUR_TURN);
  expect(await readPieces(page), "the answer that was being thought of never comes").toEqual(answered);

  await findAct(page, "Take Back").press("Enter");
  await expect(findSpoken(page)).toHaveText("Taken back: c3 to d4. Your Turn (White).");
  expect(await readPieces(page)).toEqual(start);
  await expect(findAct(page, "Take Back")).toBeFocused();
  await expect(findAct(page, "Take Back")).toBeDisabled();

  await byClicks(page, ["g3", "h4"]);
  await expect(findStatus(page)).toHaveText(COMPUTER_TURN);
  await findAct(page, "Restart").click();
  await page.clock.runFor(2 * COMPUTER_DELAY_MS);
  await expect(findStatus(page)).toHaveText(YOUR_TURN);
  expect(await readPieces(page)).toEqual(start);
});

test("practice needs no connection once loaded and sends no request", async ({ newVisitor, expectedErrors }) => {
  expectedErrors.push(NOT_OF_PRACTICE, UNREACHABLE);
  const page = await newVisitor({ isFirstVisit: true });
  // Boards of games that other tests play load their pieces.
  await page.routeWebSocket(/\/socket$/, () => undefined);
  await openPracticeInStoppedTime(page);
  const start = await readPieces(page);
  await page.context().setOffline(true);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  for (let move = 0; move < 3; move += 1) {
    await playSomeMove(page, byClicks);
    await expect(findStatus(page)).toHaveText(COMPUTER_TURN);
    await page.clock.runFor(COMPUTER_DELAY_MS);
    await expect(findStatus(page)).toHaveText(YOUR_TURN);
  }
  await findAct(page, "Take Back").click();
  await playSomeMove(page, byClicks);
  await expect(findStatus(page)).toHaveText(COMPUTER_TURN);
  await findAct(page, "Restart").click();
  await expect(findStatus(page)).toHaveText(YOUR_TURN);
  expect(await readPieces(page)).toEqual(start);
  await page.clock.runFor(60_000);
  expect(asked.filter((address) => !NOT_OF_PRACTICE.test(address))).toEqual([]);
});

function play(position: CheckersPosition, path: readonly number[]): CheckersPosition {
  const played = checkers.play(position, path);
  if (!played.ok) throw new Error("the line is not legal");
  return played.value.position;
}

/** The computer draws its move when the player's is played. */
async function chooseReply(page: Page, position: CheckersPosition, path: readonly number[] | undefined): Promise<void> {
  const moves = checkers.legalMoves(position);
  const index = moves.findIndex((move) => move.path.join() === path?.join());
  await page.evaluate(
    (random) => {
      Math.random = () => random;
    },
    (index + 0.5) / moves.length,
  );
}

test("a finished practice game can be taken back and restarted [HOME-07]", async ({ newVisitor }) => {
  const page = await newVisitor();
  await openPracticeInStoppedTime(page);
  const start = await readPieces(page);
  const line = SHORT_CHECKERS.split(" ").map((text) => text.split("-").map(toSquare));
  let before = start;
  let position = checkers.start();
  for (const [ply, path] of line.entries()) {
    const moves = checkers.legalMoves(position);
    if (ply % 2 === 0) {
      await expect(findStatus(page)).toHaveText(YOUR_TURN);
      if (ply === line.length - 1) before = await readPieces(page);
      await chooseReply(page, play(position, path), line[ply + 1]);
      await byClicks(page, toPresses(moves, path));
      await expect(findStatus(page)).not.toHaveText(YOUR_TURN);
    } else await page.clock.runFor(COMPUTER_DELAY_MS);
    position = play(position, path);
  }
  await expect(findStatus(page)).toHaveText("You Won!");
  await expect(findSpoken(page)).toHaveText(/You Won!$/);
  await findAct(page, "Take Back").click();
  await expect(findStatus(page)).toHaveText(YOUR_TURN);
  expect(await readPieces(page)).toEqual(before);
  await findAct(page, "Restart").click();
  expect(await readPieces(page)).toEqual(start);
});

// [HOME-02 §2] Any other player sees 'Create a Match' and 'Browse Matches'.
// [HOME-05 §2,7] A player with past games sees 'Recent Matches': the latest three, each a link to its game, and 'View
// All' to /matches.
// [HOME-08 §2] Logged-in players have no practice board on the home page.
// [HOME-12 §2] A new player's home page shows a board that leads to practice, at /practice for visitors and players.
test("a player's home page leads to practice, and shows the three newest matches [HOME-02 HOME-05 HOME-08 HOME-12]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { page } = ada;
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Create a Match" })).toHaveAttribute("href", "/create-match");
  await expect(page.getByRole("link", { name: "Browse Matches" })).toHaveAttribute("href", "/matches");
  await expect(page.getByRole("heading", { name: "Recent Matches" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Ready to Play?" })).toHaveCount(0);
  await expect(page.getByRole("grid", { name: "Board" })).toHaveCount(0);

  await page.getByRole("link", { name: "Practice against the computer" }).click();
  await expect(page).toHaveURL("/practice");
  await expect(page.locator(".practice-status")).toHaveText(YOUR_TURN);
  await byClicks(page, ["c3", "d4"]);
  await expect(findSquare(page, "d4")).toHaveAccessibleName("d4, white man");
  await expect(page.getByRole("main").getByRole("link", { name: "Create a Match" })).toHaveAttribute(
    "href",
    "/create-match",
  );

  // While games are played, no page of hers is open that would be taken to them.
  await page.goto(EMPTY_PAGE);
  const robots = [await connectRobot(ada, arena.url), await connectRobot(await addPlayer("bola"), arena.url)] as const;
  const games: GameId[] = [];
  for (let game = 0; game < 4; game += 1) {
    games.unshift(await robots[0].create("checkers", 1));
    await robots[1].join(games[0]!);
    await playLine(games[0]!, robots, FOUR_PLIES);
    await robots[0].send({ type: "resign", gameId: games[0]! });
  }
  // Cancelled games are not shown (ruling 11).
  await robots[0].cancel(await robots[0].create("chess", 1));
  closeRobots(robots);
  await page.goto("/");
  const recent = page.getByRole("region", { name: "Recent Matches" });
  const links = recent.getByRole("listitem").getByRole("link");
  await expect(links).toHaveCount(3);
  for (const [index, id] of games.slice(0, 3).entries()) {
    await expect(links.nth(index)).toHaveAttribute("href", `/game/${id}`);
  }
  await expect(recent.getByRole("link", { name: "View All" })).toHaveAttribute("href", "/matches");
});
