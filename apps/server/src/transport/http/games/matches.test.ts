import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { openHttpForAll } from "../../testing/http-hooks.ts";
import { addEndedGames } from "../../testing/test-games.ts";
import { send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";

let database: Database;
let http: TestHttp;

openHttpForAll((given) => {
  ({ database, http } = given);
});

async function list(query: string, person?: TestPerson): Promise<readonly string[]> {
  const headers = person === undefined ? {} : { cookie: person.cookie };
  const answer = await send(http.app, "GET", `/api/matches${query}`, undefined, headers);
  const { matches } = (await answer.json()) as { readonly matches: readonly MatchView[] };
  expect(matches.map(({ createdAt }) => createdAt)).toEqual(
    matches.map(({ createdAt }) => createdAt).sort((a, b) => b - a),
  );
  return matches.map(({ status }) => status);
}

// [ENT-04 §3,4 r11] A waiting game is shown as pending, a game lost on time as completed.
// [CALL-06 §7,9] Lists show both players' names, with the newest game first.
test("a list has the newest thirty, games lost on time as completed, and cancelled ones for their own players alone [ENT-04 CALL-06]", async () => {
  const [white, black] = [await http.addPlayer(), await http.addPlayer()];
  const since = toInstant(1_700_000_000_000);
  const statuses = [...Array.from({ length: 32 }, () => "completed" as const), "timeout", "cancelled"] as const;
  await addEndedGames(
    database,
    statuses.map((status, index) => ({
      white: white.id as PlayerId,
      black: black.id as PlayerId,
      winner: status === "cancelled" ? null : (white.id as PlayerId),
      at: addMs(since, index * SECOND_MS),
      status,
    })),
  );
  for (const query of ["", "?status=completed"]) {
    expect(await list(query)).toEqual(Array.from({ length: 30 }, () => "completed"));
  }
  expect(await list("?mine=true", black)).toEqual(["cancelled", ...Array.from({ length: 29 }, () => "completed")]);
});
