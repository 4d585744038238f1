import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import { evolve, open } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Queries } from "../../platform/database/database.ts";
import { rulesOf } from "../game-rules.ts";
import { type LogRow, loadLog } from "../log/game-store.ts";
import { type EncodedRecord, encodeRecord, parseRecord, toFirstHash } from "../log/log-record.ts";
import type { SendableRecord, Table } from "./table.ts";

export type LoadPlayers = (ids: readonly PlayerId[]) => Promise<ReadonlyMap<PlayerId, PlayerView>>;

/** The tables this node serves, each read from its log once. */
export interface TableRegistry {
  /** Null if there is no such game. */
  load(gameId: GameId): Promise<Table | null>;
  /** Brings a table that stopped to what stands in the database. It stays the same one, so who watches it goes on watching. */
  reload(table: Table): Promise<void>;
  /** Puts a table here that was just created by this node; where somebody was shown it before this node heard so, that one stays. */
  keep(state: TableState<unknown>, written: readonly EncodedRecord[], players: Table["players"]): Table;
  /** The table if it is served here already. */
  find(gameId: GameId): Table | null;
  drop(table: Table): void;
  all(): Iterable<Table>;
  count(): number;
}

export interface TableRegistryDeps {
  readonly queries: Queries;
  readonly loadPlayers: LoadPlayers;
  /** Called once for each table that was read, before anyone sees it. */
  readonly onLoaded: (table: Table) => void;
}

export function openTableRegistry({ queries, loadPlayers, onLoaded }: TableRegistryDeps): TableRegistry {
  const served = new Map<GameId, Table>();
  const loading = new Map<GameId, Promise<Table | null>>();

  async function loadStoredTable(gameId: GameId): Promise<StoredTable | null> {
    const rows = await loadLog(queries, gameId, 0);
    if (rows.length === 0) return null;
    const folded = fold(gameId, rows);
    const [first, second] = folded.state.players;
    const players = await loadPlayers(second === null ? [first] : [first, second]);
    return {
      ...folded,
      players: [
        players.get(first) ?? { id: first, username: "Player 1" },
        second === null ? null : (players.get(second) ?? { id: second, username: "Player 2" }),
      ],
    };
  }

  async function read(gameId: GameId): Promise<Table | null> {
    const content = await loadStoredTable(gameId);
    if (content === null) return null;
    // Two tables of one game would each show its moves to some of who watch, and write their entries at once.
    const kept = served.get(gameId);
    if (kept !== undefined) return kept;
    const table = toTable(content);
    served.set(gameId, table);
    onLoaded(table);
    return table;
  }

  return {
    async load(gameId) {
      const here = served.get(gameId);
      if (here !== undefined) return here;
      const started = loading.get(gameId) ?? read(gameId).finally(() => loading.delete(gameId));
      loading.set(gameId, started);
      return await started;
    },
    async reload(table) {
      const content = await loadStoredTable(table.gameId);
      assert(content !== null, `game ${table.gameId} has no log`);
      Object.assign(table, content);
    },
    keep(state, written, players) {
      const newest = written.at(-1);
      assert(newest !== undefined, "a table begins with an entry");
      const here = served.get(state.gameId);
      if (here !== undefined) return here;
      const table = toTable({ state, records: written.map(toSendable), hash: newest.hash, players });
      served.set(state.gameId, table);
      return table;
    },
    find: (gameId) => served.get(gameId) ?? null,
    drop(table) {
      table.cancelTimer?.();
      table.cancelTimer = null;
      if (served.get(table.gameId) === table) served.delete(table.gameId);
    },
    all: () => served.values(),
    count: () => served.size,
  };
}

/** What of a table stands in the database. */
type StoredTable = Pick<Table, "state" | "records" | "hash" | "players">;

function toTable(content: StoredTable): Table {
  const { state } = content;
  return {
    ...content,
    gameId: state.gameId,
    rules: rulesOf(state.game),
    watchers: new Set(),
    awaySinceAt: [state.changedAt, state.changedAt],
    queue: [],
    isBusy: false,
    waiters: [],
    sentAt: null,
    stalledMsWhenSent: 0,
    cancelTimer: null,
  };
}

export function toSendable({ version, by, commandId, publicText }: EncodedRecord): SendableRecord {
  return { version, by, commandId, publicText };
}

interface Folded {
  readonly state: TableState<unknown>;
  readonly records: SendableRecord[];
  readonly hash: string;
}

/** Folds a whole log, checking its chain. */
export function fold(gameId: GameId, rows: readonly LogRow[]): Folded {
  const first = rows[0];
  assert(first !== undefined, "a log is not empty");
  const created = parseRecord(first.text);
  const game = created.events[0]?.type === "created" ? created.events[0].game : null;
  assert(game !== null, `the log of ${gameId} does not begin with its creation`);
  const start = readSendable(created, first, toFirstHash(gameId));
  return foldOn({ state: open(rulesOf(game), gameId, created), records: [start], hash: first.hash }, rows.slice(1));
}

/** Folds newer rows onto what is known; each has to continue the chain. */
export function foldOn(known: Folded, rows: readonly LogRow[]): Folded {
  let { state, hash } = known;
  const records = [...known.records];
  for (const row of rows) {
    const record = parseRecord(row.text);
    records.push(readSendable(record, row, hash));
    state = evolve(rulesOf(state.game), state, record);
    hash = row.hash;
  }
  return { state, records, hash };
}

function readSendable(record: LogRecord, row: LogRow, hashBefore: string): SendableRecord {
  const written = encodeRecord(record, hashBefore);
  assert(written.hash === row.hash, `entry ${row.version} does not continue its chain of hashes`);
  return toSendable(written);
}
