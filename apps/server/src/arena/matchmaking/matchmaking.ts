import { randomUUID } from "node:crypto";
import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { formatCreate } from "@holo/table/command-content.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import { decide, decideCreate } from "@holo/table/decide.ts";
import { open } from "@holo/table/evolve.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import { findBlockedWith, findRestricted } from "../../accounts/accounts.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import { type Answer, type Refusal, refused } from "../answer.ts";
import { rulesOf } from "../game-rules.ts";
import {
  findCommand,
  insertGame,
  loadLog,
  loadOpenGame,
  loadWaitingOn,
  lockGameVersion,
  lockTerms,
} from "../log/game-store.ts";
import { type EncodedRecord, encodeRecord, toFirstHash } from "../log/log-record.ts";
import { settleRecord, transactOrRefuse } from "../log/settlement.ts";
import { fold } from "../table/registry.ts";
import { RefusedInTransaction, takePaidSeat, termsOf, toJoinContent } from "./seating.ts";

export interface CreateOrder {
  readonly player: PlayerView;
  readonly commandId: CommandId;
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
  /** The fee that the player was shown, in basis points. */
  readonly feeBps: number;
}

export interface Matchmaking {
  /**
   * Joins the longest waiting game on the same terms, or creates one that waits (ruling 23). The fee is one of the terms: a game that
   * waits since before it changed costs other than what the seeker was shown. A fee that is not in force is refused as `fee_changed`.
   */
  create(order: CreateOrder): Promise<Answer>;
}

export interface MatchmakingDeps {
  readonly database: Database;
  readonly feeBps: () => number;
  readonly now: () => Instant;
  readonly isOnline: (playerId: PlayerId) => boolean;
  /** Shows a new game, and tells how it stands: it waits, unless others heard of it before this node did. */
  readonly broadcastCreated: (created: Created, player: PlayerView) => OpenStatus;
  readonly log: Log;
  /** Shows a game that has just begun, or that waits and was shown to nobody yet: to whoever watches it here, its players and the lobby. */
  readonly broadcastJoined: (gameId: GameId, playerId: PlayerId) => Promise<void>;
  /** The answer for a command that was carried out before. */
  readonly repeat: (gameId: GameId, commandId: CommandId) => Promise<Answer>;
}

export interface Created {
  readonly type: "created";
  readonly state: TableState<unknown>;
  readonly written: EncodedRecord;
  readonly wallets: readonly Wallet[];
}

type OpenStatus = Extract<Answer, { readonly type: "done" }>["status"];

const RETRY_MS = 200;

type Seated =
  | { readonly type: "repeated"; readonly gameId: GameId }
  | { readonly type: "joined"; readonly gameId: GameId; readonly version: number }
  | Created;

/**
 * Seekers on the same terms come one at a time: within this node by a queue, so that who waits holds no connection, and among nodes by an
 * advisory lock. Who finds nobody waiting inserts a waiting game before the next may look, and who finds somebody sits down in the
 * same transaction: two never both wait, and never both take one seat. Each player is in such a queue once at a time, so that who asks
 * without end makes nobody wait but themselves.
 */
export function openMatchmaking(deps: MatchmakingDeps): Matchmaking {
  const queues = new Map<string, Promise<unknown>>();

  /** Runs `seek` after all before it in this queue, whatever became of them. */
  function inTurn<Value>(queue: string, seek: () => Promise<Value>): Promise<Value> {
    const turn = (queues.get(queue) ?? Promise.resolve()).then(seek, seek);
    queues.set(queue, turn);
    const leave = (): void => {
      if (queues.get(queue) === turn) queues.delete(queue);
    };
    turn.then(leave, leave);
    return turn;
  }

  function find(order: CreateOrder): ReturnType<typeof transactOrRefuse<Seated>> {
    return transactOrRefuse(deps.database, async (tx): Promise<Seated> => {
      const limitMs = order.limitMinutes * 60_000;
      const playerId = order.player.id as PlayerId;
      await lockTerms(tx, order.game, order.stake, limitMs);
      const earlier = await findCommand(tx, playerId, order.commandId);
      if (earlier !== null) return toRepeated(earlier, order);
      if (order.feeBps !== deps.feeBps()) throw new RefusedInTransaction("fee_changed");
      const openGame = await loadOpenGame(tx, playerId);
      if (openGame !== null) {
        throw new RefusedInTransaction(openGame.status === "waiting" ? "pending_game_exists" : "active_game_exists");
      }
      const blocked = await findBlockedWith(tx, playerId);
      const found = await loadWaitingOn(tx, { ...order, limitMs, seekerId: playerId });
      const creators = found.map(({ creatorId }) => creatorId);
      const excluded = await findRestricted(tx, creators, deps.now());
      for (const waiting of found) {
        const { creatorId } = waiting;
        if (!deps.isOnline(creatorId) || blocked.has(creatorId) || excluded.has(creatorId)) continue;
        const joined = await join(tx, order, waiting.gameId);
        if (joined !== null) return joined;
      }
      return await insert(tx, order, limitMs);
    });
  }

  /** Sits down at a waiting game; null where it was joined by its address or cancelled a moment before. */
  async function join(tx: Tx, order: CreateOrder, gameId: GameId): Promise<Seated | null> {
    await lockGameVersion(tx, gameId);
    const known = fold(gameId, await loadLog(tx, gameId, 0));
    const rules = rulesOf(order.game);
    const command = { type: "join", id: order.commandId, player: order.player.id as PlayerId } as const;
    const decided = decide(rules, known.state, command, deps.now());
    if (!decided.ok) return null;
    assert(decided.value.type === "decided", "a seeker's command is new");
    const { record, next } = decided.value;
    await settleRecord(tx, record, encodeRecord(record, known.hash), next);
    return { type: "joined", gameId, version: record.version };
  }

  async function insert(tx: Tx, order: CreateOrder, limitMs: number): Promise<Created> {
    const playerId = order.player.id as PlayerId;
    const rules = rulesOf(order.game);
    const gameId = randomUUID() as GameId;
    const record = decideCreate(order.game, order.stake, limitMs, order.feeBps, playerId, deps.now(), order.commandId);
    const state = open(rules, gameId, record);
    const written = encodeRecord(record, toFirstHash(gameId));
    await insertGame(tx, state, written, termsOf(state), toDeadline(rules, state, NO_DELIVERY)?.at ?? null);
    const posted = await takePaidSeat(tx, state, 1, playerId, record);
    return { type: "created", state, written, wallets: posted.wallets };
  }

  /** Once more where the connection was lost: what was committed is found by its command, and shown to whom nobody showed it. */
  async function findWithRetry(order: CreateOrder): ReturnType<typeof find> {
    try {
      return await find(order);
    } catch (err) {
      deps.log.warn({ err }, "a seeker is seated again");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      const again = await find(order);
      if (again.ok && again.value.type === "repeated") {
        await deps.broadcastJoined(again.value.gameId, order.player.id as PlayerId);
      }
      return again;
    }
  }

  return {
    async create(order) {
      const terms = `${order.game} ${order.stake} ${order.limitMinutes}`;
      const found = await inTurn(order.player.id, () => inTurn(terms, () => findWithRetry(order)));
      if (!found.ok) return toSeekerRefusal(found.refusal);
      switch (found.value.type) {
        case "repeated":
          return await deps.repeat(found.value.gameId, order.commandId);
        case "created": {
          const status = deps.broadcastCreated(found.value, order.player);
          const { gameId } = found.value.state;
          return { type: "done", gameId, version: 1, status, isRepeat: false };
        }
        case "joined": {
          const { gameId, version } = found.value;
          await deps.broadcastJoined(gameId, order.player.id as PlayerId);
          return { type: "done", gameId, version, status: "active", isRepeat: false };
        }
      }
    },
  };
}

/** Who seeks pays as much as who creates, and is told so in the words of creating. */
function toSeekerRefusal({ code, figures }: Refusal): Answer {
  return refused(code === "insufficient_to_join" ? "insufficient_to_create" : code, figures);
}

function toRepeated(earlier: { readonly content: string; readonly gameId: GameId }, order: CreateOrder): Seated {
  const content = formatCreate({ game: order.game, stake: order.stake, limitMs: order.limitMinutes * 60_000 });
  const isSame = earlier.content === content || earlier.content === toJoinContent(earlier.gameId);
  if (!isSame) throw new RefusedInTransaction("command_id_reused");
  return { type: "repeated", gameId: earlier.gameId };
}
