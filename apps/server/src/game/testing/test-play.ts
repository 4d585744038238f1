import { randomUUID } from "node:crypto";
import { type CommandId, type GameId, type PlayerId, toCommandId, toPlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { type Coins, wholeCoins } from "@holo/kernel/money.ts";
import type { LobbyFilter, PlayerView } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { Outage, OutageCause } from "@holo/table/clock.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import { sql } from "kysely";
import type { AccountTopics } from "../../accounts/accounts.ts";
import { ledgerInvariants } from "../../ledger/audit/audit.ts";
import { loadWallet, openWallet, postOpening } from "../../ledger/ledger.ts";
import type { FeedWatcher, LobbyTopics } from "../../lobby/lobby.ts";
import { type Bus, openBus } from "../../platform/bus.ts";
import type { Database } from "../../platform/database/database.ts";
import { audit } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { type Metrics, openMetrics } from "../../platform/metrics/metrics.ts";
import { makeNoLinks } from "../../platform/servers/links.ts";
import { makeTestLinks, TestNetwork } from "../../platform/testing/test-links.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { makeTestOutages, type TestOutages } from "../../platform/testing/test-outages.ts";
import { makeTestServer, type TestServer } from "../../platform/testing/test-own-server.ts";
import { makeTestTime, type TestTime } from "../../platform/testing/test-time.ts";
import { openTimerWheel, type TimerWheel } from "../../platform/time/timer-wheel.ts";
import { playerInvariants } from "../../players/audit.ts";
import { openPlay, type Play } from "../../wiring/play.ts";
import { gameInvariants } from "../audit/audit.ts";
import type { Answer, GameTopics, Watcher } from "../game.ts";

type Topics = GameTopics & LobbyTopics & AccountTopics;

export interface TestPlay extends Play {
  readonly own: TestServer;
  readonly time: TestTime;
  readonly metrics: Metrics;
  readonly bus: Bus<Topics>;
  readonly playerFrames: { readonly playerId: PlayerId; readonly frame: ServerFrame }[];
  readonly lobbyChanges: LobbyTopics["lobby"][];
  readonly statsFrames: ServerFrame[];
  countTables(): Promise<number>;
  readonly outages: TestOutages;
  lose(ms: number, cause: OutageCause): void;
  tick(): void;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

export const newId = (): CommandId => toCommandId(randomUUID());

export async function openTestPlay(
  database: Database,
  startAt?: Instant,
  lost: readonly Outage[] = [],
  stalledMs = 0,
  feeBps = (): number => DEFAULT_FEE_BPS,
  network: TestNetwork | null = null,
): Promise<TestPlay> {
  const time = makeTestTime(startAt);
  const log = openTestLog();
  const wheel: TimerWheel = openTimerWheel({ time, log });
  const own = await makeTestServer(database, { isShared: network !== null, now: time.now });
  const links = network === null ? makeNoLinks() : makeTestLinks({ network, own, time, wheel });
  const link = network === null ? null : { links, topics: ["player", "match", "owned", "online"] as const };
  const bus = openBus<Topics>(log, link);
  const pushed: { readonly playerId: PlayerId; readonly frame: ServerFrame }[] = [];
  bus.subscribe("player", (message) => pushed.push(message));
  const listed: LobbyTopics["lobby"][] = [];
  bus.subscribe("lobby", (change) => listed.push(change));
  const counted: ServerFrame[] = [];
  bus.subscribe("stats", ({ frame }) => counted.push(frame));
  const outages = makeTestOutages();
  outages.lose(stalledMs);
  const metrics = openMetrics({ process: false });
  const play = await openPlay({
    database,
    own,
    links,
    bus,
    time,
    wheel,
    outages,
    log,
    metrics,
    feeBps,
    secret: "a secret of the tests of play",
    loadPlayers: async (ids) => new Map(ids.map((id) => [id, { id, username: id }])),
    searchPlayers: async () => [],
  });
  const { games } = play;
  for (const outage of lost) games.creditOutage(outage);
  const stopWatching = noteBusyTables(database, metrics);
  return {
    ...play,
    own,
    time,
    metrics,
    bus,
    playerFrames: pushed,
    lobbyChanges: listed,
    statsFrames: counted,
    outages,
    lose(ms, cause) {
      const fromAt = time.now();
      time.advance(ms);
      outages.lose(ms);
      games.creditOutage({ fromAt, toAt: time.now(), cause });
    },
    async countTables() {
      return Number(/^holo_tables (\d+)$/m.exec((await metrics.toText()).body)?.[1]);
    },
    tick: wheel.tick,
    async advance(ms) {
      time.advance(ms);
      wheel.tick();
      await waitUntilIdle(database);
    },
    async close() {
      stopWatching();
      await play.close();
      await own.end({ cause: "stopped" });
      wheel.stop();
    },
  };
}

/** Later than other tests of the database: between servers a game of this moment is joined. */
const SERVERS_START_AT = toInstant(Date.UTC(2026, 0, 2));

/** Two servers that know each other. */
export async function openTestServers(
  database: Database,
  network = new TestNetwork(),
  ofSecond = database,
): Promise<readonly [TestPlay, TestPlay]> {
  const first = await openTestPlay(database, SERVERS_START_AT, [], 0, undefined, network);
  return [first, await addTestServer(ofSecond, network, [first])];
}

/** One more server, which the others know. */
export async function addTestServer(
  database: Database,
  network: TestNetwork,
  known: readonly TestPlay[],
): Promise<TestPlay> {
  const added = await openTestPlay(database, known[0]?.time.now(), [], 0, undefined, network);
  const all = [...known, added].map(({ own }) => own);
  for (const own of all) own.setOthers(all.filter((other) => other !== own));
  return added;
}

const QUIET_LOOKS = 6;
const LOOK_EVERY_MS = 10;

const busyTables = new WeakMap<Database, Set<() => Promise<boolean>>>();

function noteBusyTables(database: Database, metrics: Metrics): () => void {
  const all = busyTables.get(database) ?? new Set();
  busyTables.set(database, all);
  const isBusy = async (): Promise<boolean> => !/^holo_tables_busy 0$/m.test((await metrics.toText()).body);
  all.add(isBusy);
  return () => void all.delete(isBusy);
}

/**
 * Waits until several looks in succession found no command in progress and no query queued or
 * running. Time alone would prove nothing on a busy machine.
 */
export async function waitUntilIdle(database: Database): Promise<void> {
  const { pool } = database;
  for (let quiet = 0; quiet < QUIET_LOOKS; quiet += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    // A connection that is being opened has no state in PostgreSQL yet; the pool counts it.
    const isPoolBusy = pool.waitingCount > 0 || pool.totalCount > pool.idleCount;
    // The group commit has its own connection, which may be opening.
    const busy = await Promise.all([...(busyTables.get(database) ?? [])].map((isBusy) => isBusy()));
    const { rows } = await sql<{ busy: number }>`
      select count(*)::int as busy from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(database.kysely);
    if (isPoolBusy || busy.includes(true) || rows[0]?.busy !== 0) quiet = -1;
  }
}

export async function addPlayer(database: Database, at: TestPlay, coins = 500): Promise<PlayerView> {
  const id = toPlayerId(`player-${randomUUID().slice(0, 12)}`);
  await transact(database, async (tx) => {
    await openWallet(tx, id, at.time.now());
    if (coins > 0) await postOpening(tx, { playerId: id, amount: wholeCoins(coins), at: at.time.now() });
  });
  at.lobby.connect(id);
  return { id, username: id };
}

export async function balanceOf(database: Database, player: PlayerView): Promise<Coins> {
  const wallet = await loadWallet(database.kysely, player.id);
  if (wallet === null) throw new Error(`${player.id} has no wallet`);
  return wallet.balance;
}

export const idOf = ({ id }: Pick<PlayerView, "id">): PlayerId => id;

export const codeOf = (answer: Answer): string => (answer.type === "refused" ? answer.code : answer.type);

export function gameOf(answer: Answer): GameId {
  if (answer.type !== "done") throw new Error(`not done: ${JSON.stringify(answer)}`);
  return answer.gameId;
}

export async function loadEndReason({ kysely }: Database, gameId: GameId): Promise<string | null> {
  const { rows } = await sql<{ readonly reason: string | null }>`
    select end_reason as reason from games where id = ${gameId}`.execute(kysely);
  return rows[0]?.reason ?? null;
}

export function makeWatcher(player: PlayerView | null): Watcher & FeedWatcher & { readonly frames: ServerFrame[] } {
  const frames: ServerFrame[] = [];
  const send = (text: string): void => void frames.push(JSON.parse(text));
  const feed: FeedWatcher = { player, isOpen: true, sendShared: ({ text }) => send(text), isBehind: () => false };
  return { ...feed, frames, send, lagMs: () => 0, reconnect: () => undefined };
}

export async function listMatches(
  { lobby }: Pick<TestPlay, "lobby">,
  viewer: Pick<PlayerView, "id"> | null,
  filter: Partial<LobbyFilter> = {},
): Promise<readonly GameId[]> {
  const order = { viewer: viewer?.id ?? null, isMine: false, filter: { ...EVERY_MATCH, ...filter }, count: 30 };
  return (await lobby.loadMatches(order)).matches.map(({ id }) => id);
}

export async function countAvailable({ lobby }: Pick<TestPlay, "lobby">, player: PlayerView): Promise<number> {
  const watcher = makeWatcher(player);
  await lobby.watchAvailability(watcher);
  lobby.unwatchAvailability(watcher);
  const [frame] = watcher.frames;
  if (frame?.type !== "availability") throw new Error("no availability was sent");
  return frame.waiting.reduce((sum, { count }) => sum + count, 0);
}

export function move(
  at: TestPlay,
  player: PlayerView,
  gameId: GameId,
  atVersion: number,
  path: readonly number[],
  commandId: CommandId = newId(),
  lagMs = 0,
): Promise<Answer> {
  return new Promise((answer) =>
    at.games.move({ player: player.id, commandId, gameId, atVersion, path, lagMs }, answer),
  );
}

export async function findBroken(database: Database): Promise<string | null> {
  const broken = await audit(database.kysely, [...ledgerInvariants, ...gameInvariants, ...playerInvariants]);
  return broken === null ? null : `${broken.name}: ${broken.found}`;
}
