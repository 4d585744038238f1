import type { PlayerView } from "@holo/protocol/game/games.ts";
import { expect, test } from "vitest";
import { lockLimits, saveSharedBankAccounts } from "../accounts/accounts.ts";
import type { Answer } from "../game/game.ts";
import { openPlayForAll } from "../game/testing/play-hooks.ts";
import { createGame, playOpening, resignGame, startGame } from "../game/testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  codeOf,
  findBroken,
  gameOf,
  idOf,
  newId,
  type TestPlay,
} from "../game/testing/test-play.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { untilOneWaits } from "../platform/testing/lock-waits.ts";
import { RACE_CONNECTIONS } from "../platform/testing/test-database.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
}, RACE_CONNECTIONS);

/** What a first withdrawal of `player` to the account of `other` writes, under the same lock. */
async function share(tx: Tx, player: PlayerView, other: PlayerView): Promise<void> {
  await lockLimits(tx, idOf(player));
  await saveSharedBankAccounts(tx, idOf(player), [idOf(other)], at.time.now());
}

async function addSharingPair(): Promise<readonly [PlayerView, PlayerView]> {
  const pair = [await addPlayer(database, at), await addPlayer(database, at)] as const;
  await transact(database, (tx) => share(tx, ...pair));
  return pair;
}

// [VALID-32 §5 r23] Two players who withdrew to the same bank account cannot play each other: matchmaking never pairs
// them, and a join or a rematch is refused like one between players who blocked each other.
test("refuses a join between two players with one bank account, in both directions, like a block [VALID-32]", async () => {
  const pair = await addSharingPair();
  for (const [creator, joiner] of [pair, [pair[1], pair[0]] as const]) {
    const gameId = gameOf(await createGame(at, creator));
    const before = await balanceOf(database, joiner);
    expect(await at.matches.join(joiner, gameId, newId())).toEqual({
      type: "refused",
      code: "blocked_pair",
      figures: {},
    });
    expect(await balanceOf(database, joiner)).toBe(before);
    await at.games.cancelWaiting(idOf(creator));
  }
});

test("never pairs a seeker with the game of a player with the same bank account [VALID-32]", async () => {
  const [creator, seeker] = await addSharingPair();
  const waiting = gameOf(await createGame(at, creator));
  // Games of one instant have no order.
  at.time.advance(1);
  const own = await createGame(at, seeker);
  expect(own).toMatchObject({ type: "done", status: "waiting" });
  // A third player gets the game that has waited longest.
  const third = await addPlayer(database, at);
  expect(await createGame(at, third)).toMatchObject({ type: "done", gameId: waiting, status: "active" });
  await at.games.cancelWaiting(idOf(seeker));
});

test("refuses a rematch once both have one bank account, at the offer and at its acceptance [VALID-32]", async () => {
  const game = await startGame(database, at);
  const { white, black, gameId } = game;
  await playOpening(at, game);
  await resignGame(at, game);
  const offered = await at.games.offer("offer_rematch", idOf(black), gameId, newId());
  if (offered.type !== "done") throw new Error(offered.type);
  const before = await balanceOf(database, white);
  const accept = {
    type: "answer_rematch",
    player: idOf(white),
    gameId,
    offer: offered.version,
    answer: "accept",
  } as const;
  // The withdrawal holds its lock when the acceptance arrives.
  const { sent } = await transact(database, async (tx) => {
    await share(tx, black, white);
    const answer = at.games.answerOffer({ ...accept, commandId: newId() });
    await untilOneWaits(database);
    return { sent: answer };
  });
  expect(codeOf(await sent)).toBe("blocked_pair");
  expect(await balanceOf(database, white)).toBe(before);
  expect(codeOf(await at.games.offer("offer_rematch", idOf(white), gameId, newId()))).toBe("blocked_pair");
});

test.each(["creator", "joiner"])("refuses a join that waits for the first withdrawal of its %s", async (who) => {
  const [creator, joiner] = [await addPlayer(database, at), await addPlayer(database, at)];
  const gameId = gameOf(await createGame(at, creator));
  const { sent } = await transact(database, async (tx): Promise<{ readonly sent: Promise<Answer> }> => {
    await share(tx, ...(who === "creator" ? ([creator, joiner] as const) : ([joiner, creator] as const)));
    const answer = at.matches.join(joiner, gameId, newId());
    await untilOneWaits(database);
    return { sent: answer };
  });
  expect(codeOf(await sent)).toBe("blocked_pair");
  await at.games.cancelWaiting(idOf(creator));
  expect(await findBroken(database)).toBeNull();
});
