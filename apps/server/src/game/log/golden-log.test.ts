import { toGameId } from "@holo/kernel/ids.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { expect, test } from "vitest";
import { fold } from "./fold.ts";
import { toChainedHash, toFirstHash } from "./log-record.ts";

const GAME = toGameId("00000000-0000-4000-8000-000000000001");

/** Logs as databases hold them: never changed, and read by every later release. */
const OUTAGES = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada"}],"commandId":"command-1"}',
  '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola","pairing":"address"}],"commandId":"command-2"}',
  '{"version":3,"at":1002000,"by":1,"events":[{"type":"moved","path":[42,35],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-3"}',
  '{"version":4,"at":1003000,"by":2,"events":[{"type":"moved","path":[19,26],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-4"}',
  '{"version":5,"at":1010500,"by":0,"events":[{"type":"clock_credited","outageFromAt":1005000,"outageToAt":1010000,"remainingMs":[297500,300000],"bonusMs":0,"awaiting":false}]}',
  '{"version":6,"at":1012500,"by":1,"events":[{"type":"moved","path":[49,42],"chargedMs":1900,"remainingMs":[295600,300000]}],"commandId":"command-5","lagMs":100}',
  '{"version":7,"at":1100000,"by":0,"events":[{"type":"clock_credited","outageFromAt":1012500,"outageToAt":1100000,"remainingMs":[305600,310000],"bonusMs":10000,"awaiting":true}]}',
  '{"version":8,"at":1101000,"by":1,"events":[{"type":"returned","seat":1}]}',
  '{"version":9,"at":1700000,"by":0,"events":[{"type":"wait_ended","seat":2}]}',
  '{"version":10,"at":2010000,"by":0,"events":[{"type":"ended","winner":1,"reason":"time","remainingMs":[305600,0]}]}',
];
const OFFERS = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada","rematchOf":"00000000-0000-4000-8000-000000000000"}]}',
  '{"version":2,"at":1000000,"by":2,"events":[{"type":"joined","player":"player-bola","pairing":"rematch"}]}',
  '{"version":3,"at":1002000,"by":1,"events":[{"type":"moved","path":[42,35],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-3"}',
  '{"version":4,"at":1003000,"by":2,"events":[{"type":"moved","path":[19,26],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-4"}',
  '{"version":5,"at":1004000,"by":1,"events":[{"type":"moved","path":[49,42],"chargedMs":1000,"remainingMs":[299000,300000]}],"commandId":"command-5"}',
  '{"version":6,"at":1005000,"by":2,"events":[{"type":"moved","path":[21,30],"chargedMs":1000,"remainingMs":[299000,299000]}],"commandId":"command-6"}',
  '{"version":7,"at":1006000,"by":1,"events":[{"type":"takeback_requested","seat":1}],"commandId":"command-7"}',
  '{"version":8,"at":1007000,"by":2,"events":[{"type":"takeback_answered","seat":2,"offer":7,"answer":"accept"},{"type":"taken_back","seat":1,"plies":2,"remainingMs":[297000,299000]}],"commandId":"command-8"}',
  '{"version":9,"at":1008000,"by":1,"events":[{"type":"draw_offered","seat":1}],"commandId":"command-9"}',
  '{"version":10,"at":1009000,"by":2,"events":[{"type":"draw_answered","seat":2,"offer":9,"answer":"decline_all"}],"commandId":"command-10"}',
  '{"version":11,"at":1010000,"by":2,"events":[{"type":"draw_offered","seat":2}],"commandId":"command-11"}',
  '{"version":12,"at":1011000,"by":1,"events":[{"type":"draw_answered","seat":1,"offer":11,"answer":"accept"},{"type":"ended","winner":null,"reason":"agreement","remainingMs":[293000,299000]}],"commandId":"command-12"}',
  '{"version":13,"at":1012000,"by":1,"events":[{"type":"rematch_offered","seat":1,"feeBps":740}],"commandId":"command-13"}',
  '{"version":14,"at":1013000,"by":0,"events":[{"type":"rematch_lapsed","reason":"left","seat":2}]}',
  '{"version":15,"at":1014000,"by":2,"events":[{"type":"rematch_offered","seat":2,"feeBps":740}],"commandId":"command-15"}',
  '{"version":16,"at":1015000,"by":1,"events":[{"type":"rematch_answered","seat":1,"offer":15,"answer":"accept"},{"type":"rematch_started","gameId":"00000000-0000-4000-8000-000000000002","feeBps":740}],"commandId":"command-16"}',
];
const CANCELLED = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"chess","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada","byInvitation":true}],"commandId":"command-1"}',
  '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola","pairing":"invitation"}],"commandId":"command-2"}',
  '{"version":3,"at":1002000,"by":1,"events":[{"type":"moved","path":[52,36],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-3"}',
  '{"version":4,"at":1003000,"by":0,"events":[{"type":"cancelled","reason":"staff","seat":null,"note":"The board froze for \\"both\\""}]}',
];
/** Ends by the length of a log, but is shortened. */
const LONG = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada"}],"commandId":"command-1"}',
  '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola","pairing":"matchmaking"}],"commandId":"command-2"}',
  '{"version":3,"at":1002000,"by":1,"events":[{"type":"moved","path":[42,35],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-3"}',
  '{"version":4,"at":1003000,"by":2,"events":[{"type":"moved","path":[19,26],"chargedMs":0,"remainingMs":[300000,300000]},{"type":"ended","winner":null,"reason":"too_long","remainingMs":[300000,300000]}],"commandId":"command-4"}',
];

function read(log: readonly string[]) {
  let hash = toFirstHash(GAME);
  const rows = log.map((text, index) => {
    hash = toChainedHash(hash, text);
    return { version: index + 1, text, hash };
  });
  return { hash, state: fold(GAME, rows).state };
}

test("reads a log of format 1 with outages and a flag", () => {
  const { hash, state } = read(OUTAGES);
  expect(hash).toBe("9202e59507de27b13938235184c6ba0bb554ae6ab67de0f123e5f89e8a5be7b9");
  expect(state).toMatchObject({
    version: 10,
    status: "timeout",
    pairing: "address",
    players: ["player-ada", "player-bola"],
    result: { winner: 1, reason: "time" },
    clock: { remainingMs: [305_600, 0], lagUsedMs: [100, 0], creditedTo: 1_100_000, bonuses: 1, awaited: [] },
  });
  expect(read(OUTAGES.slice(0, 5)).state.clock).toMatchObject({ turnStartedAt: 1_010_500, bonuses: 0 });
  expect(read(OUTAGES.slice(0, 8)).state.clock).toMatchObject({ turnStartedAt: null, awaited: [2] });
  expect(read(OUTAGES.slice(0, 9)).state.clock).toMatchObject({ turnStartedAt: 1_700_000, awaited: [] });
});

test("reads a log of format 1 with offers and a rematch", () => {
  const { hash, state } = read(OFFERS);
  expect(hash).toBe("08c8c7a2e78943c209d26357e39116fb2bee716d359432a452136ee873cacb78");
  expect(state).toMatchObject({
    version: 16,
    boardVersion: 8,
    status: "completed",
    pairing: "rematch",
    result: { winner: null, reason: "agreement" },
    pliesEver: 4,
    movesMade: [2, 2],
    clock: { remainingMs: [293_000, 299_000] },
    offers: {
      draw: { pending: null, fromMoves: [4, 0], refusedBy: [false, true] },
      takeback: { pending: null, fromMoves: [0, 0], refusedBy: [false, false] },
      rematch: {
        pending: null,
        offered: [1, 1],
        declined: [false, false],
        gameId: "00000000-0000-4000-8000-000000000002",
      },
    },
  });
  expect(rulesOf("checkers").formatPosition(state.position)).toBe(
    "W:Wd4,a3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,f6,h6,c5",
  );
});

test("reads a log of format 1 of a game by invitation that staff cancelled", () => {
  const { hash, state } = read(CANCELLED);
  expect(hash).toBe("06e27c00c657ff7f0457ea60d87f1bc59e8642d123472a1b359eb778fc39ad2e");
  expect(state).toMatchObject({ version: 4, status: "cancelled", pairing: "invitation", result: null, pliesEver: 1 });
  expect(read(CANCELLED.slice(0, 1)).state).toMatchObject({ status: "waiting", pairing: "invitation" });
});

test("reads a log of format 1 that ended by its length", () => {
  const { hash, state } = read(LONG);
  expect(hash).toBe("32a6af6c7dd096fdaaf82b36ea3c48785d23e125f1e58f82c1adb95d87ffb7c8");
  expect(state).toMatchObject({ version: 4, status: "completed", result: { winner: null, reason: "too_long" } });
});
