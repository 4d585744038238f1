import { randomUUID } from "node:crypto";
import { checkers } from "@holo/checkers/checkers.ts";
import { type GameId, type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { LobbyFilter, PlayerView } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH, evolveLobby, type MatchList } from "@holo/protocol/lobby/lobby.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findNeverPairedOf } from "../accounts/accounts.ts";
import { addTestPlayers } from "../accounts/testing/test-players.ts";
import { loadGames, loadMatchViews } from "../game/game.ts";
import { WaitingGames } from "../match/match.ts";
import { openBus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import { openPacedDelivery } from "../platform/paced-delivery.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { makeTestTime } from "../platform/testing/test-time.ts";
import { openTimerWheel } from "../platform/time/timer-wheel.ts";
import type { FeedWatcher } from "./feed-watcher.ts";
import { openListedMatches } from "./listed-matches.ts";
import { FEED_TICK_MS, LobbyFeed } from "./lobby-feed.ts";
import { openMatchLists } from "./match-lists.ts";
import { openNeverPairedLoader } from "./never-paired-loader.ts";
import { openOnlinePlayers } from "./online-players.ts";
import type { LobbyTopics } from "./topics.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const RUNS = process.env.DEEP ? 1_000 : 40;
const PLAYERS = 5;
const WATCHERS = 4;
const SLOTS = 12;

let database: Database;
let players: readonly PlayerView[];

beforeAll(async () => {
  database = await createTestDatabase();
  const names = Array.from({ length: PLAYERS }, (_, index) => `lobby-${index}`);
  players = (await addTestPlayers(database, names, "unused")).map(({ id, username }) => ({ id, username }));
});

afterAll(() => database.close());

const slot = fc.nat({ max: SLOTS - 1 });
const player = fc.nat({ max: PLAYERS - 1 });
const watcher = fc.nat({ max: WATCHERS - 1 });
const filter: fc.Arbitrary<LobbyFilter> = fc.record({
  status: fc.constantFrom(null, null, "pending", "active", "completed"),
  game: fc.constantFrom(null, null, "checkers", "chess"),
  stakeMin: fc.constantFrom(1, 1, 2, 5),
  stakeMax: fc.constantFrom(10, 10, 5, 2),
  limitMinutes: fc.constantFrom(null, null, 5, 10),
  search: fc.constantFrom("", "", "", "lobby-1", "ch", "5 min"),
});
const step = fc.oneof(
  fc.record({
    type: fc.constant("create" as const),
    slot,
    player,
    game: fc.constantFrom("checkers" as const, "chess" as const),
    stake: fc.constantFrom(1, 2, 10),
    limitMinutes: fc.constantFrom(5, 10),
    afterMs: fc.constantFrom(0, 0, 7),
  }),
  fc.record({ type: fc.constant("join" as const), slot, player }),
  fc.record({ type: fc.constantFrom("end" as const, "cancel" as const), slot }),
  fc.record({
    type: fc.constant("watch" as const),
    watcher,
    player: fc.nat({ max: PLAYERS }),
    // Most pages share a list, so that changes for one of them affect the others.
    filter: fc.oneof({ weight: 3, arbitrary: fc.constant(EVERY_MATCH) }, { weight: 1, arbitrary: filter }),
    count: fc.constantFrom(2, 2, 2, 1, 30),
  }),
  fc.record({ type: fc.constantFrom("drop" as const, "slow" as const, "fast" as const), watcher }),
  fc.record({ type: fc.constantFrom("block" as const, "unblock" as const), player, other: player }),
  fc.record({ type: fc.constantFrom("tick" as const, "compare" as const, "minute" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface TestPage {
  readonly player: PlayerView | null;
  readonly filter: LobbyFilter;
  readonly count: number;
  readonly watcher: FeedWatcher & { isSlow: boolean; isOpen: boolean };
  list: MatchList | null;
}

function openTestLobby() {
  const { kysely, log } = database;
  const time = makeTestTime();
  const wheel = openTimerWheel({ time, log: openTestLog() });
  const bus = openBus<LobbyTopics>(openTestLog());
  const online = openOnlinePlayers(time);
  const waitingGames = new WaitingGames();
  const listed = openListedMatches(bus, online, waitingGames);
  const loadPlayers = async () => new Map(players.map((one) => [one.id, one]));
  const lists = openMatchLists({
    queries: kysely,
    time,
    listed,
    loadPlayers,
    searchPlayers: async (text) => players.filter(({ username }) => username.includes(text)).map(({ id }) => id),
  });
  const loads = new Set<Promise<unknown>>();
  /** Lets a test wait for the feed's own reads. */
  function noted<Value>(load: Promise<Value>): Promise<Value> {
    loads.add(load);
    load.finally(() => loads.delete(load)).catch(() => undefined);
    return load;
  }
  const delivery = openPacedDelivery();
  const feed = new LobbyFeed({
    bus,
    time,
    wheel,
    log,
    delivery,
    isReachable: online.isReachable,
    loadNeverPaired: openNeverPairedLoader((ids) => noted(findNeverPairedOf(kysely, ids, time.now()))),
    loadMatches: (wanted, limit) => noted(lists.loadListed(wanted, limit)),
    reserve: 1,
  });
  // Unknown players count as reachable in the first minute.
  time.advance(2 * MINUTE_MS);
  return { time, wheel, online, waitingGames, listed, loadPlayers, lists, loads, feed, delivery };
}

class World {
  readonly #at = openTestLobby();
  readonly #games: (GameId | undefined)[] = [];
  readonly #pages: (TestPage | undefined)[] = [];
  #requests = 0;

  async take(taken: Step): Promise<void> {
    switch (taken.type) {
      case "create":
        return await this.#create(taken);
      case "join":
        return await this.#change(
          taken.slot,
          sql`player2_id = ${players[taken.player]!.id}, status = 'active', started_at = created_at`,
          sql`status = 'waiting' and player1_id <> ${players[taken.player]!.id}`,
        );
      case "end":
        return await this.#change(
          taken.slot,
          sql`status = 'completed', winner_id = player1_id, completed_at = ${this.#at.time.now()}`,
          sql`status = 'active'`,
        );
      case "cancel":
        return await this.#change(
          taken.slot,
          sql`status = 'cancelled', completed_at = ${this.#at.time.now()}`,
          sql`status in ('waiting', 'active')`,
        );
      case "watch":
        return this.#watch(taken);
      case "drop":
        return this.#drop(taken.watcher);
      case "slow":
      case "fast": {
        const page = this.#pages[taken.watcher];
        if (page !== undefined) page.watcher.isSlow = taken.type === "slow";
        return;
      }
      case "block":
      case "unblock":
        return await this.#relate(players[taken.player]!.id, players[taken.other]!.id, taken.type === "block");
      case "tick":
        return this.#tick();
      case "compare":
        return await this.compare();
      case "minute":
        this.#at.time.advance(MINUTE_MS + 1);
        for (const { id } of players) if (!this.#at.online.isReachable(id)) this.#at.listed.refresh(id);
        return;
    }
  }

  async compare(): Promise<void> {
    for (const page of this.#pages) if (page !== undefined) page.watcher.isSlow = false;
    await this.#settle();
    this.#tick();
    for (const page of this.#pages) {
      if (page === undefined) continue;
      const { player: viewer, filter: wanted, count, list } = page;
      const order = { viewer: viewer?.id ?? null, isMine: false, filter: wanted, count };
      const fresh = await this.#at.lists.loadMatches(order);
      expect(list, JSON.stringify(order)).toEqual(fresh);
      expect(list?.matches.length).toBeLessThanOrEqual(count);
    }
  }

  async close(): Promise<void> {
    await this.#settle();
    this.#at.wheel.stop();
    this.#at.delivery.close();
    await sql`truncate player_relations`.execute(database.kysely);
    await sql`delete from games`.execute(database.kysely);
  }

  async #create({ slot: at, player: index, game, stake, limitMinutes, afterMs }: Step & { readonly type: "create" }) {
    const creator = players[index]!.id;
    // A player has one open game.
    if (this.#games[at] !== undefined || this.#at.waitingGames.byCreator.has(creator)) return;
    this.#at.time.advance(afterMs);
    const gameId = toGameId(randomUUID());
    this.#games[at] = gameId;
    const now = this.#at.time.now();
    const board = game === "checkers" ? checkers.formatPosition(checkers.start()) : CHESS_START;
    await sql`
      with logged as (
        insert into game_log (game_id, version, format, record, at, hash, board_state, move_count, player1_captures,
          player2_captures, player1_remaining_ms, player2_remaining_ms)
        values (${gameId}, 1, 1, '{}', ${now}, repeat('0', 64), ${board}, 0, 0, 0, 1, 1))
      insert into games (id, game_type, status, player1_id, stake_amount, fee_bps, platform_fee, time_limit, created_at)
      values (${gameId}, ${game}, 'waiting', ${creator}, ${stake}, 740, 0, ${limitMinutes * 60}, ${now})`.execute(
      database.kysely,
    );
    await this.#announce(gameId);
  }

  async #change(at: number, change: ReturnType<typeof sql>, condition: ReturnType<typeof sql>): Promise<void> {
    const gameId = this.#games[at];
    if (gameId === undefined) return;
    const { numAffectedRows } = await sql`update games set ${change} where id = ${gameId} and ${condition}`.execute(
      database.kysely,
    );
    if (numAffectedRows === 1n) await this.#announce(gameId);
  }

  async #announce(gameId: GameId): Promise<void> {
    const rows = await loadGames(database.kysely, [gameId]);
    for (const match of await loadMatchViews(rows, this.#at.loadPlayers)) this.#at.waitingGames.note(match);
  }

  #watch({ watcher: index, player: viewerIndex, filter: wanted, count }: Step & { readonly type: "watch" }): void {
    this.#drop(index);
    const viewer = players[viewerIndex] ?? null;
    this.#requests += 1;
    const request = this.#requests;
    const page: TestPage = {
      player: viewer,
      filter: wanted,
      count,
      list: null,
      watcher: {
        player: viewer,
        isOpen: true,
        isSlow: false,
        isBehind: () => page.watcher.isSlow,
        sendShared: ({ text }) => receive(page, JSON.parse(text), request),
      },
    };
    this.#pages[index] = page;
    if (viewer !== null) this.#connect(viewer.id);
    void this.#at.feed.watch(page.watcher, { filter: wanted, count, request });
  }

  #connect(playerId: PlayerId): void {
    const wasReachable = this.#at.online.isReachable(playerId);
    if (this.#at.online.connect(playerId) && !wasReachable) this.#at.listed.refresh(playerId);
  }

  #drop(index: number): void {
    const page = this.#pages[index];
    if (page === undefined) return;
    page.watcher.isOpen = false;
    this.#at.feed.unwatch(page.watcher);
    if (page.player !== null) this.#at.online.disconnect(page.player.id);
    this.#pages[index] = undefined;
  }

  async #relate(playerId: PlayerId, otherId: PlayerId, blocked: boolean): Promise<void> {
    if (playerId === otherId) return;
    await sql`
      insert into player_relations (player_id, other_id, muted, blocked, updated_at)
      values (${playerId}, ${otherId}, true, ${blocked}, to_timestamp(0))
      on conflict (player_id, other_id) do update set blocked = excluded.blocked`.execute(database.kysely);
    this.#at.feed.relationsChanged([playerId, otherId]);
  }

  #tick(): void {
    this.#at.time.advance(FEED_TICK_MS + 20);
    this.#at.wheel.tick();
  }

  async #settle(): Promise<void> {
    do {
      while (this.#at.loads.size > 0) {
        await Promise.allSettled([...this.#at.loads]);
        await new Promise((resolve) => setImmediate(resolve));
      }
      this.#tick();
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#at.loads.size > 0);
  }
}

const CHESS_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

function receive(page: TestPage, frame: ServerFrame, request: number): void {
  if (frame.type === "lobby") {
    expect(frame.request).toBe(request);
    page.list = { matches: frame.matches, hasMore: frame.hasMore };
  } else if (frame.type === "lobby_changes" && page.list !== null) {
    page.list = evolveLobby(page.list, frame, page.count);
  }
}

// [MATCH-26 §7 r2] An open list equals a fresh query half a second after any change, for any filter and length, also
// for a viewer who was slow or away.
test("a list that follows the feed equals a fresh query, after any changes and any slow or lost connection [MATCH-26]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50, size: "max" }), async (steps) => {
      const world = new World();
      try {
        for (const one of steps) await world.take(one);
        await world.compare();
      } finally {
        await world.close();
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);
