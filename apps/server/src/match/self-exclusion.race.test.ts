import { randomUUID } from "node:crypto";
import { DAY_MS } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { lockLimits } from "../accounts/accounts.ts";
import type { Answer } from "../game/game.ts";
import { openPlayForEach } from "../game/testing/play-hooks.ts";
import { createGame, playOpening } from "../game/testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  codeOf,
  gameOf,
  idOf,
  newId,
  openTestPlay,
  type TestPlay,
} from "../game/testing/test-play.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { untilOneWaits } from "../platform/testing/lock-waits.ts";
import { RACE_CONNECTIONS } from "../platform/testing/test-database.ts";

const SWEPT_MS = 6_000;

let database: Database;
let at: TestPlay;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
  RACE_CONNECTIONS,
);

async function saveExclusion(tx: Tx, player: PlayerView): Promise<void> {
  const now = at.time.now();
  await sql`insert into self_exclusions values (${player.id}, ${now}, ${now + DAY_MS})`.execute(tx);
}

async function saveDispute(tx: Tx, player: PlayerView): Promise<void> {
  const [now, id] = [at.time.now(), randomUUID()];
  await sql`
    insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, step, reference, created_at,
      completed_at, in_kobo, kept_kobo, credited_kobo, credit_rate_kobo)
    values (${id}, 'deposit', ${player.id}, ${id}, 500000, 30600, 16339870, 'review', 'credited', ${`dep-${id}`}, ${now},
      ${now}, 500000, 500000, 500000, 30600)`.execute(tx);
  await sql`
    insert into deposit_disputes (payment_id, player_id, from_at) values (${id}, ${player.id}, ${now})`.execute(tx);
}

/** The answer to a command that is sent during the player's exclusion and waits for its lock. */
async function sendWhileExcluding(
  player: PlayerView,
  command: () => Promise<Answer>,
  save = saveExclusion,
): Promise<string> {
  const state = { isAnswered: false };
  const answer = await transact(database, async (tx) => {
    await lockLimits(tx, idOf(player));
    const sent = command().finally(() => {
      state.isAnswered = true;
    });
    await untilOneWaits(database);
    expect(state.isAnswered).toBe(false);
    await save(tx, player);
    return { sent };
  });
  return codeOf(await answer.sent);
}

test("does not create a game that was requested during the exclusion", async () => {
  const player = await addPlayer(database, at);
  expect(await sendWhileExcluding(player, () => createGame(at, player))).toBe("self_excluded");
  expect(await at.games.loadOpenGame(idOf(player))).toBeNull();
  expect(await balanceOf(database, player)).toBe(500_000_000n);
});

test("does not let anyone join a waiting game during its creator's exclusion", async () => {
  const [creator, joiner] = [await addPlayer(database, at), await addPlayer(database, at)];
  const gameId = gameOf(await createGame(at, creator));
  expect(await sendWhileExcluding(creator, () => at.matches.join(joiner, gameId, newId()))).toBe("match_gone");
  expect(codeOf(await at.matches.join(joiner, gameId, newId()))).toBe("match_gone");
  // A seeker on the same terms waits in a new game, as if the creator's game did not exist.
  const own = await createGame(at, joiner);
  expect(own).toMatchObject({ type: "done", status: "waiting" });
  await at.games.cancel(idOf(joiner), gameOf(own), newId());
  expect(await balanceOf(database, creator)).toBe(500_000_000n - 64_440_000n);
  expect(codeOf(await at.games.cancel(idOf(creator), gameId, newId()))).toBe("done");
  expect(await balanceOf(database, creator)).toBe(500_000_000n);
});

/** A waiting game whose creator was excluded by a server that then crashed. */
async function dieBetween() {
  const creator = await addPlayer(database, at);
  const gameId = gameOf(await createGame(at, creator));
  await transact(database, (tx) => saveExclusion(tx, creator));
  return { creator, gameId };
}

test("cancels the waiting game of an excluded player by the sweeper", async () => {
  const { creator } = await dieBetween();
  const other = await addPlayer(database, at);
  await createGame(at, other, "chess");
  await at.advance(SWEPT_MS);
  expect(await at.games.loadOpenGame(idOf(creator))).toBeNull();
  expect(await balanceOf(database, creator)).toBe(500_000_000n);
  expect(at.playerFrames).toContainEqual(
    expect.objectContaining({ playerId: creator.id, frame: expect.objectContaining({ openGame: null }) }),
  );
  expect(await at.games.loadOpenGame(idOf(other))).toMatchObject({ status: "waiting" });
  await at.games.cancelWaiting(idOf(other));
  expect(await balanceOf(database, other)).toBe(500_000_000n);
});

test("cancels it after a crash by the next server", async () => {
  const { creator } = await dieBetween();
  const startAt = at.time.now();
  await at.close();
  at = await openTestPlay(database, startAt);
  await at.advance(SWEPT_MS);
  expect(await at.games.loadOpenGame(idOf(creator))).toBeNull();
  expect(await balanceOf(database, creator)).toBe(500_000_000n);
});

test("leaves an active game to its players", async () => {
  const [white, black] = [await addPlayer(database, at), await addPlayer(database, at)];
  const gameId = gameOf(await createGame(at, white));
  await at.matches.join(black, gameId, newId());
  await transact(database, (tx) => saveExclusion(tx, white));
  await at.games.cancelWaiting(idOf(white));
  await at.advance(SWEPT_MS);
  expect(await at.games.loadOpenGame(idOf(white))).toMatchObject({ status: "active" });
  await at.games.cancel(idOf(black), gameId, newId());
});

async function playAndOffer() {
  const [white, black] = [await addPlayer(database, at), await addPlayer(database, at)];
  const gameId = gameOf(await createGame(at, white));
  await at.matches.join(black, gameId, newId());
  await playOpening(at, { white, black, gameId });
  await at.games.resign(idOf(white), gameId, newId());
  const offered = await at.games.offer("offer_rematch", idOf(black), gameId, newId());
  if (offered.type !== "done") throw new Error(offered.type);
  const order = { type: "answer_rematch", player: idOf(white), gameId, offer: offered.version } as const;
  const accept = () => at.games.answerOffer({ ...order, answer: "accept", commandId: newId() });
  return { white, black, gameId, accept };
}

test("does not start a rematch during the exclusion of either player", async () => {
  const { white, black, accept } = await playAndOffer();
  const before = await balanceOf(database, white);
  expect(await sendWhileExcluding(black, accept)).toBe("opponent_busy");
  expect(await at.games.loadOpenGame(idOf(white))).toBeNull();
  expect(await balanceOf(database, white)).toBe(before);
});

test("refuses a rematch above either player's stake limit, with the figure to that player", async () => {
  for (const isOwn of [true, false]) {
    const { white, black, accept } = await playAndOffer();
    const limited = isOwn ? white : black;
    await sql`
      insert into player_limits (player_id, kind, value, updated_at)
      values (${limited.id}, 'stake', 2, ${at.time.now()})`.execute(database.kysely);
    const refused = isOwn ? { code: "stake_limit", figures: { stake: 2 } } : { code: "opponent_busy", figures: {} };
    expect(await accept()).toMatchObject(refused);
    expect(await at.games.loadOpenGame(idOf(black))).toBeNull();
  }
});

test("lets an excluded player finish their game without a rematch", async () => {
  const [white, black] = [await addPlayer(database, at), await addPlayer(database, at)];
  const gameId = gameOf(await createGame(at, white));
  await at.matches.join(black, gameId, newId());
  await transact(database, (tx) => saveExclusion(tx, white));
  await playOpening(at, { white, black, gameId });
  expect(codeOf(await at.games.resign(idOf(white), gameId, newId()))).toBe("done");
  const offer = (player: PlayerView) => at.games.offer("offer_rematch", idOf(player), gameId, newId());
  expect(codeOf(await offer(white))).toBe("self_excluded");
  expect(codeOf(await offer(black))).toBe("opponent_busy");
});

// [VALID-33 §5 r33] While a dispute of a deposit or a debt is open the player takes no seat and receives no
// withdrawal; it waits with its reason. Deposits stay open and repay the debt.
test("gives no seat to a player whose deposit is disputed and cancels their waiting game [VALID-33]", async () => {
  const [creator, joiner] = [await addPlayer(database, at), await addPlayer(database, at)];
  expect(await sendWhileExcluding(creator, () => createGame(at, creator), saveDispute)).toBe("deposit_disputed");
  const gameId = gameOf(await createGame(at, joiner));
  expect(codeOf(await at.matches.join(creator, gameId, newId()))).toBe("deposit_disputed");
  const third = await addPlayer(database, at);
  expect(await sendWhileExcluding(joiner, () => at.matches.join(third, gameId, newId()), saveDispute)).toBe(
    "match_gone",
  );
  await at.advance(SWEPT_MS);
  expect(await at.games.loadOpenGame(idOf(joiner))).toBeNull();
  expect(await balanceOf(database, joiner)).toBe(500_000_000n);
});

test("starts no rematch while a deposit of either player is disputed", async () => {
  const { white, black, accept } = await playAndOffer();
  expect(await sendWhileExcluding(black, accept, saveDispute)).toBe("opponent_busy");
  const other = await playAndOffer();
  expect(await sendWhileExcluding(other.white, other.accept, saveDispute)).toBe("deposit_disputed");
  expect(await at.games.loadOpenGame(idOf(white))).toBeNull();
});
