import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { evolveLobby, type MatchList } from "@holo/protocol/lobby/lobby.ts";
import type { RecordedConnection, Recording } from "../recording.ts";
import { type Evidence, type StoredGame, toMachineTime } from "./evidence.ts";
import { findPlayers, nameOf } from "./frames.ts";
import { type WatchedTable, watchTables } from "./tables.ts";

/** A connection may open while a change is being pushed. */
const OPENING_MS = 1_000;
/** A connection without a sign of life is closed by then. */
const HALF_OPEN_MS_MAX = 60_000;

interface OpenGameChange {
  readonly at: number;
  readonly gameId: GameId;
}

interface Working {
  readonly client: Recording;
  readonly connection: RecordedConnection;
  readonly openedMs: number;
  readonly tables: ReadonlyMap<GameId, WatchedTable>;
}

/** What a client was last sent on a working connection is what the database says. */
export function findUnrest(evidence: Evidence): string[] {
  const { restMs, clients } = evidence;
  if (restMs === null) return [];
  const working = clients.flatMap((client) =>
    client.connections.flatMap((connection): readonly Working[] => {
      const openedMs = connection.received.find(({ frame }) => frame.type === "hello")?.atMs;
      if (openedMs === undefined || connection.silentFromMs !== null || openedMs > restMs - OPENING_MS) return [];
      return [{ client, connection, openedMs, tables: watchTables(connection).open }];
    }),
  );
  const ownerless = evidence.ownerless.map((gameId) => `at rest no running server owns ${gameId}, which is active`);
  const unlike = working.flatMap((one) =>
    [
      ...findOldBalance(evidence, one),
      ...findOldOpenGame(evidence, one),
      ...findOldTables(evidence, one, working),
      ...findOldLobby(evidence, one),
    ].map((what) => `at rest ${nameOf(one.client)} ${what}`),
  );
  return [...ownerless, ...unlike];
}

function findOldBalance({ wallets, jumps }: Evidence, { client, connection, openedMs }: Working): string[] {
  if (client.account === null) return [];
  const balances = wallets.get(client.account.id) ?? [];
  if (!balances.some(({ atMs }) => toMachineTime(atMs, jumps) > openedMs + OPENING_MS)) return [];
  const numbers = connection.received.map(({ frame }) => (frame.type === "wallet" ? frame.sequence : 0));
  const newest = Math.max(...numbers);
  return newest < balances.length ? [`has not been sent the balance number ${balances.length}, only ${newest}`] : [];
}

function findOldOpenGame(evidence: Evidence, { client, connection, openedMs }: Working): string[] {
  if (client.account === null) return [];
  const changes = findOpenGameChanges(evidence).get(client.account.id) ?? [];
  if (!changes.some(({ at }) => toMachineTime(at, evidence.jumps) > openedMs + OPENING_MS)) return [];
  const last = connection.received.findLast(({ frame }) => frame.type === "open_game")?.frame;
  const shown = last?.type === "open_game" ? (last.openGame?.gameId ?? null) : undefined;
  const open = changes.find(({ gameId }) => ["pending", "active"].includes(toStatus(evidence.games.get(gameId)!)));
  const stored = open?.gameId ?? null;
  return shown === stored ? [] : [`has been sent the open game ${shown}, and it is ${stored}`];
}

function findOldTables(evidence: Evidence, { client, tables }: Working, working: readonly Working[]): string[] {
  const found: string[] = [];
  for (const [gameId, { version, message, awaySinceAt }] of tables) {
    const game = evidence.games.get(gameId);
    if (game === undefined) continue;
    const players = findPlayers(game);
    if (version !== game.log.length) found.push(`has version ${version} of ${game.log.length} of ${gameId}`);
    const isPlayer = client.account !== null && players.includes(client.account.id);
    if (isPlayer && message !== null && message !== game.chat.length)
      found.push(`has ${message} of ${game.chat.length} messages of ${gameId}`);
    for (const [index, player] of players.entries()) {
      if (player === null) continue;
      const isHere = working.some((other) => other.client.account?.id === player && other.tables.has(gameId));
      const isShown = (awaySinceAt[index] ?? null) === null;
      if (isHere && !isShown) found.push(`sees player ${index + 1} of ${gameId} away, who is there`);
      if (!isHere && isShown && !mayWatch(evidence, player, gameId))
        found.push(`sees player ${index + 1} of ${gameId} there, who is away`);
    }
  }
  return found;
}

/** Whether the server may not know yet that a connection of the player is lost. */
function mayWatch({ clients, restMs }: Evidence, player: string, gameId: GameId): boolean {
  return clients.some(
    ({ account, connections }) =>
      account?.id === player &&
      connections.some(
        (connection) =>
          (connection.silentFromMs ?? restMs!) > restMs! - HALF_OPEN_MS_MAX && watchTables(connection).open.has(gameId),
      ),
  );
}

/** Visitors see games that are played, then games that are over, each newest first. */
function findOldLobby({ games }: Evidence, { client, connection }: Working): string[] {
  if (client.account !== null) return [];
  const watched = connection.sent.findLast(({ frame }) => frame.type === "watch_lobby")?.frame;
  if (watched?.type !== "watch_lobby") return [];
  let list: MatchList | null = null;
  for (const { frame } of connection.received) {
    if (frame.type === "lobby") list = frame;
    else if (frame.type === "lobby_changes" && list !== null) list = evolveLobby(list, frame, watched.count);
  }
  if (list === null) return [];
  const stored = [...games]
    .map(([id, game]) => ({ id, status: toStatus(game), at: game.log[0]?.at ?? 0 }))
    .filter(({ status }) => status === "active" || status === "completed")
    .toSorted((a, b) => rank(a.status) - rank(b.status) || b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, watched.count);
  const shown = list.matches.map(({ id, status }) => `${id} ${status}`);
  const wrong = stored.find(({ id, status }, index) => shown[index] !== `${id} ${status}`);
  if (wrong !== undefined) return [`does not see ${wrong.id} in the lobby, which is ${wrong.status}`];
  return shown.length > stored.length ? ["sees a game in the lobby that is not listed"] : [];
}

const rank = (status: string): number => (status === "active" ? 0 : 1);

function toStatus({ log }: StoredGame): "pending" | "active" | "completed" | "cancelled" {
  const types = log.flatMap(({ events }) => events.map(({ type }) => type));
  if (types.includes("cancelled")) return "cancelled";
  if (types.includes("ended")) return "completed";
  return types.includes("joined") ? "active" : "pending";
}

/** When the open game of each player appeared, started or ended, oldest game first. */
function findOpenGameChanges({ games }: Evidence): ReadonlyMap<PlayerId, readonly OpenGameChange[]> {
  const changes = new Map<PlayerId, OpenGameChange[]>();
  for (const [gameId, game] of games) {
    const players = findPlayers(game);
    for (const { at, events } of game.log)
      for (const { type } of events) {
        if (type !== "created" && type !== "joined" && type !== "ended" && type !== "cancelled") continue;
        for (const player of type === "created" ? players.slice(0, 1) : players)
          if (player !== null) changes.set(player, [...(changes.get(player) ?? []), { at, gameId }]);
      }
  }
  return changes;
}

/** Every balance that was pushed is the one of its sequence. */
export function findWrongWallets({ clients, wallets }: Evidence): string[] {
  const found: string[] = [];
  for (const { account, connections } of clients) {
    if (account === null) continue;
    const balances = wallets.get(account.id) ?? [];
    for (const { frame } of connections.flatMap(({ received }) => received))
      if (frame.type === "wallet" && balances[frame.sequence - 1]?.balance !== BigInt(frame.balance))
        found.push(`${account.username} was sent the balance ${frame.balance} as number ${frame.sequence}`);
  }
  return found;
}

/** Of several servers one may read a change before the message about an earlier one arrives. */
export function findUnnumbered({ clients, isShared }: Evidence): string[] {
  if (isShared) return [];
  return clients.flatMap((client) =>
    client.connections.flatMap(({ received }) => {
      const numbers = received.flatMap(({ frame }) => (frame.type === "open_game" ? [frame.sequence] : []));
      const isOrdered = numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
      return isOrdered ? [] : [`${nameOf(client)} was sent open games in another order than numbered`];
    }),
  );
}
