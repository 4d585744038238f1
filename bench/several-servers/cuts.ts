import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { chess } from "@holo/chess/chess.ts";
import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import { EVERY_MATCH } from "@holo/protocol/arena/lobby.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { WebSocket } from "ws";
import type { TestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { openCuttableProxy } from "../../e2e/support/cuttable-proxy.ts";
import { seatGames } from "../duel/duel.ts";
import { atMost, type Finding, formatNumber } from "../report.ts";
import { makeRandomGames } from "../rules/random-games.ts";
import { type Arena, addCoins, type BenchPlayer, joinOrCreate, sendFrame, waitForFrame } from "../servers/arena.ts";
import type { Cluster } from "../servers/cluster.ts";
import { quantile } from "../statistics.ts";
import { startBoth } from "./one-of-two.ts";

/** Each with white on the first server and black on the second. */
const TABLES = 100;
/** Black leaves one table in ten during a cut, or returns. */
const CHANGING_EVERY = 10;
const CUTS = 4;
/** Until each server has dropped the players of the other. */
const SILENCE_MS = 3_000;
const MATCHES_PER_CUT = 4;
const STEADY_MS = 3_000;
const LOOK_EVERY_MS = 2;
const GIVEN_UP_MS = 10_000;
const CONVERGED_S_MAX = 1.2;

interface Converged {
  readonly tablesMs: number;
  readonly lobbyMs: number;
  readonly onlineMs: number;
}

/** What a player or watcher was shown last. */
interface Seen {
  isOpponentAway: boolean;
  online: number;
  readonly waiting: Set<GameId>;
}

interface Client {
  socket: WebSocket;
  readonly seen: Seen;
}

/** One server at a time loses NATS, which neither end of the connection is told. */
export async function measureCuts(cluster: Cluster, nats: TestNats): Promise<readonly Finding[]> {
  const links = [await openCuttableProxy(() => Number(new URL(nats.url).port)), await openLink(nats)] as const;
  const connectionString = await cluster.makeDatabase("cuts");
  const both = await startBoth(connectionString, [toNatsUrl(links[0].url), toNatsUrl(links[1].url)]);
  const players = await both[0].makePlayers(2 * TABLES + 4);
  await addCoins(connectionString, players);
  const sockets = await Promise.all(players.map((player, index) => both[(index & 1) as 0 | 1].connect(player)));
  const games = await seatGames(
    sockets.slice(0, 2 * TABLES),
    makeRandomGames(chess, { count: TABLES, plies: 2, orShorter: false, seed: 3 }),
  );
  const clients = sockets.map((socket, index) => follow(socket, index % 2 === 0 ? 2 : 1));
  const tables = games.map(({ gameId }, index) => ({
    gameId,
    white: clients[2 * index]!,
    black: clients[2 * index + 1]!,
    blackPlayer: players[2 * index + 1]!,
    isBlackHere: true,
  }));
  for (const { gameId, white, black } of tables) {
    for (const { socket } of [white, black]) sendFrame(socket, { type: "watch", gameId, since: 0 });
  }
  const watchers = clients.slice(2 * TABLES, 2 * TABLES + 2);
  for (const { socket } of watchers) {
    sendFrame(socket, { type: "watch_lobby", filter: EVERY_MATCH, count: 30, request: 1 });
    sendFrame(socket, { type: "watch_stats" });
  }
  const creators = clients.slice(2 * TABLES + 2).map(({ socket }) => socket);
  const isOnline = ({ socket }: Client): boolean => socket.readyState === socket.OPEN;
  const areTablesRight = (): boolean =>
    tables.every(
      ({ white, black, isBlackHere }) =>
        white.seen.isOpponentAway !== isBlackHere && (!isBlackHere || !black.seen.isOpponentAway),
    );
  const isCountRight = (): boolean => {
    const online = clients.filter(isOnline).length;
    return watchers.every(({ seen }) => seen.online === online);
  };
  await until(() => areTablesRight() && isCountRight());

  const found: number[] = [];
  const droppedMs: number[] = [];
  const all: Converged[] = [];
  for (let cut = 0; cut < CUTS; cut += 1) {
    const link = links[(cut & 1) as 0 | 1];
    const cutMs = performance.now();
    link.cut();
    // The server without NATS cannot know whether the other has ended, and keeps its players.
    const connected = (cut & 1) === 0 ? "black" : "white";
    await until(() => tables.every((table) => !table.isBlackHere || table[connected].seen.isOpponentAway));
    droppedMs.push(performance.now() - cutMs);
    for (const table of tables.filter((_, index) => index % CHANGING_EVERY === 0)) await change(table, both[1]);
    for (let match = 0; match < MATCHES_PER_CUT; match += 1) {
      const side = (match & 1) as 0 | 1;
      const other = watchers[1 - side]!;
      const gameId = await create(creators[side]!);
      const createdMs = performance.now();
      await until(() => other.seen.waiting.has(gameId));
      found.push(performance.now() - createdMs);
      await cancel(creators[side]!, gameId);
      const cancelledMs = performance.now();
      await until(() => !other.seen.waiting.has(gameId));
      found.push(performance.now() - cancelledMs);
    }
    await sleep(SILENCE_MS);
    const side = (cut & 1) as 0 | 1;
    const waiting = await create(creators[side]!);
    const isLobbyRight = (): boolean =>
      watchers.every(({ seen }) => seen.waiting.size === 1 && seen.waiting.has(waiting));
    link.restore();
    all.push(await untilConverged(areTablesRight, isLobbyRight, isCountRight));
    await cancel(creators[side]!, waiting);
    await until(() => watchers.every(({ seen }) => seen.waiting.size === 0));
  }
  for (const { socket } of clients) socket.terminate();
  for (const server of both) await server.stop();
  for (const link of links) await link.close();

  const s = (values: readonly number[]): string =>
    `p50 ${formatNumber(quantile(values, 0.5) / 1_000, 2)} most ${formatNumber(Math.max(...values) / 1_000, 2)} s`;
  return [
    {
      part: "several-servers",
      what: "presence and lobby are right again after a cut between a server and NATS, s",
      figures: [
        `${CUTS} cuts, ${TABLES} tables across: presence at tables ${s(all.map(({ tablesMs }) => tablesMs))}`,
        `lobby ${s(all.map(({ lobbyMs }) => lobbyMs))}`,
        `players online ${s(all.map(({ onlineMs }) => onlineMs))}`,
        `during a cut: a match until seen on the other server ${s(found)}`,
        `players of the other server shown as away after ${s(droppedMs)}`,
      ].join("; "),
      goal: atMost(
        Math.max(...all.flatMap(({ tablesMs, lobbyMs, onlineMs }) => [tablesMs, lobbyMs, onlineMs])) / 1_000,
        CONVERGED_S_MAX,
        " s",
      ),
    },
  ];
}

const openLink = (nats: TestNats) => openCuttableProxy(() => Number(new URL(nats.url).port));

function toNatsUrl(url: string): string {
  return url.replace("http", "nats");
}

/** `opponent` is the other player's seat. */
function follow(socket: WebSocket, opponent: Seat): Client {
  const client: Client = { socket, seen: { isOpponentAway: false, online: 0, waiting: new Set() } };
  listen(client, opponent);
  return client;
}

function listen({ socket, seen }: Client, opponent: Seat): void {
  socket.on("message", (data) => {
    const frame = JSON.parse(String(data)) as ServerFrame;
    switch (frame.type) {
      case "table":
        seen.isOpponentAway = ofSeat(frame.awaySinceAt, opponent) !== null;
        return;
      case "presence":
        if (frame.seat === opponent) seen.isOpponentAway = frame.sinceAt !== null;
        return;
      case "stats":
        seen.online = frame.playersOnline;
        return;
      case "lobby":
        seen.waiting.clear();
        for (const { id, status } of frame.matches) if (status === "pending") seen.waiting.add(id);
        return;
      case "lobby_changes":
        for (const { id, status } of frame.added ?? []) if (status === "pending") seen.waiting.add(id);
        for (const id of frame.gone ?? []) seen.waiting.delete(id);
        for (const { id, status } of frame.changed ?? [])
          if (status !== undefined && status !== "pending") seen.waiting.delete(id);
    }
  });
}

interface Table {
  readonly gameId: GameId;
  readonly black: Client;
  readonly blackPlayer: BenchPlayer;
  isBlackHere: boolean;
}

/** Black leaves the table, or returns to it. */
async function change(table: Table, server: Arena): Promise<void> {
  const { black, blackPlayer, gameId } = table;
  if (table.isBlackHere) {
    black.socket.terminate();
  } else {
    black.socket = await server.connect(blackPlayer);
    listen(black, 1);
    sendFrame(black.socket, { type: "watch", gameId, since: 0 });
  }
  table.isBlackHere = !table.isBlackHere;
}

const create = (socket: WebSocket): Promise<GameId> =>
  joinOrCreate(socket, { game: "checkers", stake: 1, limitMinutes: 10 });

async function cancel(socket: WebSocket, gameId: GameId): Promise<void> {
  const done = waitForFrame(socket, "done");
  sendFrame(socket, { type: "cancel", whileWaiting: false, commandId: toCommandId(randomUUID()), gameId });
  await done;
}

async function until(holds: () => boolean): Promise<void> {
  const untilMs = performance.now() + GIVEN_UP_MS;
  while (!holds()) {
    if (performance.now() > untilMs) throw new Error(`the servers of the benchmark did not agree: ${holds}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** When each was last wrong, since now. */
async function untilConverged(
  areTablesRight: () => boolean,
  isLobbyRight: () => boolean,
  isCountRight: () => boolean,
): Promise<Converged> {
  const startedMs = performance.now();
  const converged = { tablesMs: 0, lobbyMs: 0, onlineMs: 0 };
  let steadySinceMs = startedMs;
  for (let nowMs = startedMs; nowMs - steadySinceMs < STEADY_MS; nowMs = performance.now()) {
    if (nowMs - startedMs > GIVEN_UP_MS) throw new Error("the servers of the benchmark did not converge");
    const elapsedMs = nowMs - startedMs;
    if (!areTablesRight()) converged.tablesMs = elapsedMs;
    if (!isLobbyRight()) converged.lobbyMs = elapsedMs;
    if (!isCountRight()) converged.onlineMs = elapsedMs;
    if (Math.max(converged.tablesMs, converged.lobbyMs, converged.onlineMs) === elapsedMs) steadySinceMs = nowMs;
    await sleep(LOOK_EVERY_MS);
  }
  return converged;
}
