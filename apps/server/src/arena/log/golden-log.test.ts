import { expect, test } from "vitest";
import { rulesOf } from "../game-rules.ts";
import {
  FORMAT_1,
  FORMAT_2,
  FORMAT_3,
  FORMAT_4,
  FORMAT_5,
  FORMAT_6,
  FORMAT_6_JOINED,
  GOLDEN_GAME,
} from "../testing/golden-logs.ts";
import { fold } from "./fold.ts";
import { toChainedHash, toFirstHash } from "./log-record.ts";

const FINAL_HASH_1 = "6f493f7fe3ff1ee87bd77d870257898f3053e292325b87ec8f98def620668c2d";

const FINAL_HASH_2 = "93d31d1f4d6918bcf7f73315b2716edfedeadbfdd71fc9d1854b572782968786";

const FINAL_HASH_3 = "d072bd54065c043917a369c81f29bb93578c7c5f6f9836dd9260581e4674419e";

const FINAL_HASH_4 = "789c1cf76b031f7f447b4463ff6599b82031c255e30a8d2ccdcc37634f2933f1";

const FINAL_HASH_5 = "c2ec497947c50c6788454be161a89755f221f1fd2cc116197fa01831be0a9e4f";

const FINAL_HASH_6 = "d815113df7fdd9b06bd198d9af3765a3a1f18c743a1b9d9a7f6b2068b72b20f9";

function read(log: readonly string[]) {
  let hash = toFirstHash(GOLDEN_GAME);
  const rows = log.map((text, index) => {
    hash = toChainedHash(hash, text);
    return { version: index + 1, text, hash };
  });
  return { hash, state: fold(GOLDEN_GAME, rows).state };
}

test("reads a log of format 1 with the same state and final hash", () => {
  const { hash, state } = read(FORMAT_1);
  expect(hash).toBe(FINAL_HASH_1);
  expect(state).toMatchObject({
    version: 10,
    status: "completed",
    players: ["player-ada", "player-bola"],
    result: { winner: 2, reason: "resignation" },
    clock: { remainingMs: [306_100, 308_000], lagUsedMs: [100, 0], awaited: [] },
  });
  expect(rulesOf("checkers").formatPosition(state.position)).toBe(
    "W:Wd4,a3,c3,e3,g3,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,h6,c5,g5",
  );
});

test("reads a log of format 2 with the same state and final hash", () => {
  const { hash, state } = read(FORMAT_2);
  expect(hash).toBe(FINAL_HASH_2);
  expect(state).toMatchObject({
    version: 16,
    boardVersion: 8,
    status: "completed",
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

test("reads a log of format 3 with the same state and final hash", () => {
  const { hash, state } = read(FORMAT_3);
  expect(hash).toBe(FINAL_HASH_3);
  expect(state).toMatchObject({ version: 4, status: "cancelled", result: null, endedAt: 1_003_000, pliesEver: 1 });
});

test("reads a log of format 4 with the same state and final hash", () => {
  const { hash, state } = read(FORMAT_4);
  expect(hash).toBe(FINAL_HASH_4);
  expect(state).toMatchObject({ version: 4, status: "completed", result: { winner: null, reason: "too_long" } });
});

test("reads a log of format 5 with the same state and final hash", () => {
  const { hash, state } = read(FORMAT_5);
  expect(hash).toBe(FINAL_HASH_5);
  expect(state).toMatchObject({
    version: 9,
    status: "timeout",
    result: { winner: 2, reason: "time" },
    clock: { remainingMs: [0, 310_000], creditedTo: 1_100_000, bonuses: 1, awaited: [], returnBy: null },
  });
  expect(read(FORMAT_5.slice(0, 5)).state.clock).toMatchObject({ turnStartedAt: 1_010_500, bonuses: 0 });
  expect(read(FORMAT_5.slice(0, 8)).state.clock).toMatchObject({ turnStartedAt: 1_700_000, awaited: [] });
});

test("reads a log of format 6 with how the players met, which older ones do not say", () => {
  const { hash, state } = read(FORMAT_6);
  expect(hash).toBe(FINAL_HASH_6);
  expect(state).toMatchObject({ version: 2, status: "active", pairing: "invitation" });
  expect(read([FORMAT_5[0]!, FORMAT_6_JOINED]).state.pairing).toBe("address");
  expect(read(FORMAT_2).state.pairing).toBe("rematch");
  expect(read(FORMAT_5).state.pairing).toBeNull();
});
