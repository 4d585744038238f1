import type { GameId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { shareTrace } from "../accounts/testing/shared-trace.ts";
import type { Answer } from "../game/game.ts";
import { openPlayForAll } from "../game/testing/play-hooks.ts";
import { createGame } from "../game/testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  codeOf,
  countAvailable,
  findBroken,
  gameOf,
  listMatches,
  makeWatcher,
  newId,
  openTestPlay,
  type TestPlay,
} from "../game/testing/test-play.ts";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { RACE_CONNECTIONS } from "../platform/testing/test-database.ts";
import { openInvitations } from "./invitations.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
}, RACE_CONNECTIONS);

const TERMS = { game: "checkers", stake: 5, limitMinutes: 5, feeBps: 740 } as const;

const invite = (player: PlayerView, commandId = newId()): Promise<Answer> =>
  at.matches.create({ ...TERMS, player, commandId, byInvitation: true });

async function openInvited(): Promise<{ creator: PlayerView; gameId: GameId; invitation: string }> {
  const creator = await addPlayer(database, at);
  const gameId = gameOf(await invite(creator));
  const invitation = await at.matches.findOwnInvitation(gameId, creator.id);
  if (invitation === null) throw new Error("the creator was not given the token");
  return { creator, gameId, invitation };
}

async function loadPairing(gameId: GameId): Promise<string | null> {
  const { rows } = await sql<{ pairing: string | null }>`select pairing from games where id = ${gameId}`.execute(
    database.kysely,
  );
  return rows[0]?.pairing ?? null;
}

const UNKNOWN_GAME = { type: "refused", code: "unknown_game", figures: {} };

// [MATCH-19 §2 r42] A stranger never takes the seat of a game by invitation, whatever else they know of it; of two
// friends who use its link at once, one sits down and the other keeps their coins.
test("never seats a stranger in a hundred races with a friend who has the link [MATCH-19]", async () => {
  const stranger = await addPlayer(database, at);
  const race = async (round: number): Promise<void> => {
    const [{ gameId, invitation }, friend] = await Promise.all([openInvited(), addPlayer(database, at)]);
    const joinAsStranger = () => at.matches.join(stranger, gameId, newId());
    const joinAsFriend = () => at.matches.join(friend, gameId, newId(), { invitation });
    // Each comes first in half of the races.
    const first = round % 2 === 0 ? joinAsStranger() : undefined;
    const [asFriend, asStranger] = (await Promise.all([joinAsFriend(), first ?? joinAsStranger()])).map(codeOf);
    expect(asFriend).toBe("done");
    expect(["unknown_game", "match_gone"]).toContain(asStranger);
  };
  // Ten at a time: a hundred would wait for connections longer than a server does.
  for (let from = 0; from < 100; from += 10)
    await Promise.all(Array.from({ length: 10 }, (_, index) => race(from + index)));
  expect(await balanceOf(database, stranger)).toBe(wholeCoins(500));
  expect(await findBroken(database)).toBeNull();
});

test("seats one of two friends who have the link; the other keeps their coins [MATCH-19]", async () => {
  const races = Array.from({ length: 10 }, async () => {
    const { gameId, invitation } = await openInvited();
    const friends = [await addPlayer(database, at), await addPlayer(database, at)] as const;
    const answers = await Promise.all(friends.map((one) => at.matches.join(one, gameId, newId(), { invitation })));
    expect(answers.map(codeOf).sort()).toEqual(["done", "match_gone"]);
    const unseated = friends[answers.findIndex(({ type }) => type === "refused")]!;
    expect(await balanceOf(database, unseated)).toBe(wholeCoins(500));
  });
  await Promise.all(races);
});

// [MATCH-20 §2 r42] A game by invitation is in no list, no table of available matches and no push, and is never
// matched: without its link it does not exist for others, also after it was cancelled.
test("does not exist for a player without its link, nor for visitors [MATCH-20]", async () => {
  const { creator, gameId, invitation } = await openInvited();
  const { invitation: foreign } = await openInvited();
  const other = await addPlayer(database, at);
  const forged = `${invitation.slice(0, 30)}${invitation[30] === "A" ? "B" : "A"}${invitation.slice(31)}`;
  const unsigned = openInvitations("another secret").toToken(gameId);
  for (const token of [undefined, "", gameId, "x".repeat(43), foreign, forged, unsigned, invitation.slice(0, 42)]) {
    expect(await at.matches.join(other, gameId, newId(), { invitation: token }), token).toEqual(UNKNOWN_GAME);
    expect(
      await at.games.watch(makeWatcher(other), gameId, 0, undefined, at.matches.isInvitation(token, gameId)),
      token,
    ).toBeNull();
    if (token !== undefined && token !== foreign) expect(await at.matches.findInvitation(token), token).toBeNull();
  }
  expect(await balanceOf(database, other)).toBe(wholeCoins(500));
  const asOther = {
    cancel: await at.games.cancel(other.id, gameId, newId()),
    resign: await at.games.resign(other.id, gameId, newId()),
    offer: await at.games.offer("offer_draw", other.id, gameId, newId()),
    chat: await at.games.chat({ player: other.id, commandId: newId(), gameId, text: "hello" }),
  };
  for (const [name, answer] of Object.entries(asOther)) expect(answer, name).toEqual(UNKNOWN_GAME);
  expect(await at.games.watch(makeWatcher(other), gameId, 0, 0)).toBeNull();
  for (const viewer of [other.id, null]) {
    expect(await at.games.loadMatch(gameId, viewer)).toBeNull();
    expect(await listMatches(at, viewer === null ? null : other)).not.toContain(gameId);
    expect(await at.games.loadGameLog(gameId, viewer)).toMatchObject({ refusal: "unknown_game" });
    expect(await at.games.loadGameFile(gameId, viewer, "")).toMatchObject({ refusal: "unknown_game" });
  }
  expect(await at.games.loadSettlement(gameId, other.id)).toMatchObject({ refusal: "unknown_game" });
  expect(await at.matches.findOwnInvitation(gameId, other.id)).toBeNull();
  const report = { reporterId: other.id, gameId, playerId: null, reason: "other", text: "" } as const;
  expect(await at.games.report(report)).toMatchObject({ refusal: "unknown_game" });
  expect(await countAvailable(at, other)).toBe(0);
  expect(at.lobbyChanges.filter((change) => JSON.stringify(change).includes(gameId))).toEqual([]);
  expect(await at.games.loadMatch(gameId, creator.id)).toMatchObject({ id: gameId, status: "pending" });
  expect((await at.games.loadOwnMatches(creator.id)).map(({ id }) => id)).toEqual([gameId]);
  expect(await at.matches.findInvitation(invitation)).toMatchObject({ match: { id: gameId }, isCreatorHere: true });
  expect(await at.games.watch(makeWatcher(null), gameId, 0, undefined, true)).not.toBeNull();
  expect(await at.games.watch(makeWatcher(other), gameId, 0, 0, true)).not.toBeNull();
  await at.games.cancel(creator.id, gameId, newId());
  expect(await at.games.loadMatch(gameId, other.id)).toBeNull();
  expect(at.lobbyChanges.filter((change) => JSON.stringify(change).includes(gameId))).toEqual([]);
  expect(await at.matches.join(other, gameId, newId(), { invitation })).toMatchObject({ code: "match_gone" });
  expect(await at.matches.findOwnInvitation(gameId, creator.id)).toBeNull();
});

test("neither joins a waiting game nor is joined by a seeker on the same terms [MATCH-20]", async () => {
  const [lister, seeker] = [await addPlayer(database, at), await addPlayer(database, at)];
  const listed = gameOf(await createGame(at, lister));
  const { creator, gameId } = await openInvited();
  expect(gameId).not.toBe(listed);
  await at.games.cancelWaiting(lister.id);
  expect(await createGame(at, seeker)).toMatchObject({ type: "done", status: "waiting" });
  // A restarted server does not list it either.
  const restarted = await openTestPlay(database);
  restarted.lobby.connect(creator.id);
  expect(await countAvailable(restarted, lister)).toBe(0);
  await restarted.close();
  await at.games.cancelWaiting(seeker.id);
});

test("answers a repeated create and join alike, and refuses an id that is used for other terms", async () => {
  const [creator, friend] = [await addPlayer(database, at), await addPlayer(database, at)];
  const commandId = newId();
  const gameId = gameOf(await invite(creator, commandId));
  expect(await invite(creator, commandId)).toMatchObject({ type: "done", gameId, isRepeat: true });
  expect(codeOf(await at.matches.create({ ...TERMS, player: creator, commandId }))).toBe("command_id_reused");
  const invitation = (await at.matches.findOwnInvitation(gameId, creator.id))!;
  const joinId = newId();
  expect(codeOf(await at.matches.join(friend, gameId, joinId, { invitation }))).toBe("done");
  // The link was lost with a reload: the same command still has its answer.
  expect(await at.matches.join(friend, gameId, joinId)).toMatchObject({ type: "done", isRepeat: true });
});

// [MATCH-21 §6 r42] A game's record says how its players met, for the checks of fair play: matched, chosen from the
// lobby or by address, or by invitation.
test("says in each game's log and row how its players met [MATCH-21]", async () => {
  const players = await Promise.all(Array.from({ length: 4 }, () => addPlayer(database, at)));
  const [one, two, three, four] = players as [PlayerView, PlayerView, PlayerView, PlayerView];
  const matched = gameOf(await createGame(at, one));
  expect(gameOf(await createGame(at, two))).toBe(matched);
  const chosen = gameOf(await createGame(at, three));
  expect(await loadPairing(chosen)).toBeNull();
  await at.matches.join(four, chosen, newId());
  const { gameId: invited, invitation } = await openInvited();
  await at.matches.join(await addPlayer(database, at), invited, newId(), { invitation });
  expect(await Promise.all([matched, chosen, invited].map(loadPairing))).toEqual([
    "matchmaking",
    "address",
    "invitation",
  ]);
  expect(await findBroken(database)).toBeNull();
});

// [MATCH-22 §2 r15,38,42] Every other rule of joining applies to an invitation: coins, blocks, restrictions, the
// absent creator, and the end of waiting after 30 minutes with a refund.
test("keeps every other rule of joining: blocks, the creator's absence, coins [MATCH-22]", async () => {
  const { creator, gameId, invitation } = await openInvited();
  const join = (player: PlayerView) => at.matches.join(player, gameId, newId(), { invitation });
  expect(codeOf(await join(creator))).toBe("own_game");
  expect(codeOf(await join(await addPlayer(database, at, 10)))).toBe("insufficient_to_join");
  const blocked = await addPlayer(database, at);
  // Never paired, as if one had blocked the other.
  await transact(database, (tx) => shareTrace(tx, "device", blocked.id, [creator.id], at.time.now()));
  expect(codeOf(await join(blocked))).toBe("blocked_pair");
  const friend = await addPlayer(database, at);
  at.lobby.disconnect(creator.id);
  await at.advance(60_001);
  expect(codeOf(await join(friend))).toBe("creator_away");
  expect(await at.matches.findInvitation(invitation)).toMatchObject({ isCreatorHere: false });
  at.lobby.connect(creator.id);
  await at.advance(30 * 60_000);
  expect(codeOf(await join(friend))).toBe("match_gone");
  expect(await balanceOf(database, creator)).toBe(wholeCoins(500));
});
