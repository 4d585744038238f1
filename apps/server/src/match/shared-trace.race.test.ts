import type { PlayerView } from "@holo/protocol/game/games.ts";
import { expect, test } from "vitest";
import type { TraceKind } from "../accounts/accounts.ts";
import { shareTrace } from "../accounts/testing/shared-trace.ts";
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

const KINDS = ["bank_account", "card", "device"] as const;

/** What a withdrawal, a payment or a login of `player` writes, under the same lock. */
async function share(tx: Tx, player: PlayerView, other: PlayerView, kind: TraceKind = "bank_account"): Promise<void> {
  await shareTrace(tx, kind, idOf(player), [idOf(other)], at.time.now());
}

async function addSharingPair(kind: TraceKind): Promise<readonly [PlayerView, PlayerView]> {
  const pair = [await addPlayer(database, at), await addPlayer(database, at)] as const;
  await transact(database, (tx) => share(tx, ...pair, kind));
  return pair;
}

// [VALID-32 §5 r23,54] Two players who withdrew to the same bank account, paid with one card or logged in from one device cannot
// play each other for stakes: matchmaking never pairs them, and a join or a rematch is refused like one between players who
// blocked each other.
test.each(KINDS)(
  "refuses a join between two players with one %s, in both directions, like a block [VALID-32]",
  async (kind) => {
    const pair = await addSharingPair(kind);
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
  },
);

test.each(KINDS)("never pairs a seeker with the game of a player with the same %s [VALID-32]", async (kind) => {
  const [creator, seeker] = await addSharingPair(kind);
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
