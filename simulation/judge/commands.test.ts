import { expect, test } from "vitest";
import { findUnanswered } from "./commands.ts";
import type { Evidence } from "./evidence.ts";

const [SENT_MS, LAST_MS] = [10_000, 100_000];
const account = { id: "one", username: "robot" };
const toDone = (atMs: number) => ({ atMs, frame: { type: "done", commandId: "command", gameId: "game", version: 7 } });

function connect(answers: readonly object[]): object {
  const received = [...answers, { atMs: LAST_MS, frame: { type: "settings" } }];
  return { server: 0, silentFromMs: null, received, sent: [] };
}

/** A tab sends a command again; another tab of the player was told of it before. */
function makeEvidence(answers: readonly object[]): Evidence {
  const sent = [{ atMs: SENT_MS, frame: { type: "resign", gameId: "game", commandId: "command" } }];
  const clients = [
    { account, connections: [{ ...connect(answers), sent }] },
    { account, connections: [connect([toDone(SENT_MS - 20)])] },
  ];
  const times = { disturbances: [], downtimes: [], frozen: [], stopped: [], busy: [], jumps: [] };
  return { clients, ...times } as unknown as Evidence;
}

test("names a command that was sent again and got no answer", () => {
  const found = `robot's command command was not answered for ${LAST_MS - SENT_MS} ms`;
  expect(findUnanswered(makeEvidence([]))).toEqual([found]);
});

test("knows the answer to a command that was sent again, although another tab was told earlier", () => {
  expect(findUnanswered(makeEvidence([toDone(SENT_MS + 120)]))).toEqual([]);
});
