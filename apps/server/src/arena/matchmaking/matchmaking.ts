import { randomUUID } from "node:crypto";
import { assertNever } from "@holo/kernel/assert.ts";
import { type CommandId, type GameId, type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import type { Result } from "@holo/kernel/result.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { formatCreate } from "@holo/table/command-content.ts";
import { decideCreate } from "@holo/table/decide.ts";
import { open } from "@holo/table/evolve.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import { findNeverPaired } from "../../accounts/accounts.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, done, type Refusal, refused, toFailure, UNKNOWN } from "../answer.ts";
import { rulesOf } from "../game-rules.ts";
import { insertGame } from "../log/game-writer.ts";
import { encodeRecord, toFirstHash, toSendable } from "../log/log-record.ts";
import { checkSessionOf, type SessionCheck } from "../log/settlement.ts";
import { SharedAnswers } from "../shared-answers.ts";
import type { TableRegistry } from "../table/registry.ts";
import { UNMEASURED } from "../table/table.ts";
import type { TableContent } from "../table/table-content.ts";
import { RefusedInTransaction, transactOrRefuse } from "../transact-or-refuse.ts";
import { findBarred } from "./barred-players.ts";
import { findCommand, loadOpenGame, loadWaitingOn, lockTerms, type SeatCommand } from "./seat-store.ts";
import { takePaidSeat, toJoinContent } from "./seating.ts";

export interface CreateOrder {
  readonly player: PlayerView;
  readonly commandId: CommandId;
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
  /** The fee that the player was shown, in basis points. */
  readonly feeBps: number;
  /** Only a player with its link can join the new game (ruling 42). */
  readonly byInvitation?: boolean | undefined;
  readonly checkSession?: SessionCheck | undefined;
}

interface MatchmakingDeps {
  readonly database: Database;
  readonly tables: TableRegistry;
  readonly time: Pick<Time, "now">;
  readonly log: Log;
  readonly feeBps: () => number;
  readonly isOnline: (playerId: PlayerId) => boolean;
}

const RETRY_MS = 200;
/** The seeker searches on: the game is gone, or the two were separated a moment ago. */
const NO_SUCH_MATCH: ReadonlySet<RefusalCode> = new Set(["match_gone", "blocked_pair"]);
const OPEN_GAME_EXISTS: ReadonlySet<RefusalCode> = new Set(["pending_game_exists", "active_game_exists"]);

/** What a seeker finds under the lock of their terms. */
type Found =
  | { readonly type: "repeated"; readonly gameId: GameId }
  | { readonly type: "candidate"; readonly gameId: GameId }
  | { readonly type: "created"; readonly content: TableContent; readonly wallets: readonly Wallet[] };

/**
 * Seekers on the same terms are served one at a time: on this node by a queue, so that waiting
 * holds no connection, and across nodes by an advisory lock. A game is inserted only under that
 * lock and only if no game waits, so two seekers never both wait. A waiting game is joined through
 * its table, so they never share a seat. Each player has one request in these queues at a time.
 */
export class Matchmaking {
  readonly #deps: MatchmakingDeps;
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #shared = new SharedAnswers();

  constructor(deps: MatchmakingDeps) {
    this.#deps = deps;
  }

  /**
   * Joins the longest waiting game on the same terms, fee included, or creates one that waits
   * (ruling 23); by invitation it only creates. Refuses `fee_changed` for a fee not in force.
   */
  create(order: CreateOrder): Promise<Answer> {
    const terms = `${order.game} ${order.stake} ${order.limitMinutes}`;
    const key = `${order.player.id} ${order.commandId} ${terms} ${order.feeBps}`;
    return this.#shared.share(key, () => this.#create(order, terms));
  }

  /** Waits for seekers that are being seated; the others are to send again. */
  close(): Promise<void> {
    return this.#shared.settle();
  }

  async #create(order: CreateOrder, terms: string): Promise<Answer> {
    const seek = async (): Promise<Answer> => (this.#deps.tables.isClosing ? UNKNOWN : await this.#seek(order));
    try {
      return await this.#inTurn(order.player.id, () => this.#inTurn(terms, seek));
    } catch (err) {
      // The game may have been committed; the same command finds it then.
      this.#deps.log.error({ err }, "a seeker could not be seated");
      return toFailure(err);
    }
  }

  /** Runs `work` after everything before it in this queue, whatever its outcome. */
  #inTurn<Value>(queue: string, work: () => Promise<Value>): Promise<Value> {
    const turn = (this.#queues.get(queue) ?? Promise.resolve()).then(work, work);
    this.#queues.set(queue, turn);
    const leave = (): void => {
      if (this.#queues.get(queue) === turn) this.#queues.delete(queue);
    };
    turn.then(leave, leave);
    return turn;
  }

  async #seek(order: CreateOrder): Promise<Answer> {
    const gone = new Set<GameId>();
    for (;;) {
      const found = await this.#findWithRetry(order, gone);
      if (!found.ok) return toSeekerRefusal(found.refusal);
      switch (found.value.type) {
        case "repeated":
          return await this.#repeat(found.value.gameId, order.commandId);
        case "created": {
          const { content, wallets } = found.value;
          return done(this.#deps.tables.open(content, wallets).state, 1, false);
        }
        case "candidate": {
          const joined = await this.#join(order, found.value.gameId);
          if (joined.type !== "refused") return joined;
          if (NO_SUCH_MATCH.has(joined.code)) gone.add(found.value.gameId);
          // The search says whether this was the same command on another node.
          else if (!OPEN_GAME_EXISTS.has(joined.code)) return toSeekerRefusal(joined);
          break;
        }
        default:
          assertNever(found.value);
      }
    }
  }

  /** After a lost connection a committed game is found by its command and broadcast. */
  async #findWithRetry(order: CreateOrder, gone: ReadonlySet<GameId>): Promise<Result<Found, Refusal>> {
    try {
      return await this.#find(order, gone);
    } catch (err) {
      this.#deps.log.warn({ err }, "a seeker is seated again");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      const again = await this.#find(order, gone);
      if (again.ok && again.value.type === "repeated") {
        await this.#deps.tables.announce(again.value.gameId, order.player.id);
      }
      return again;
    }
  }

  /** @param gone games that were joined or cancelled a moment ago */
  #find(order: CreateOrder, gone: ReadonlySet<GameId>): Promise<Result<Found, Refusal>> {
    const { database, feeBps, isOnline, time } = this.#deps;
    return transactOrRefuse(database, async (tx): Promise<Found> => {
      const limitMs = order.limitMinutes * 60_000;
      const playerId = order.player.id;
      await lockTerms(tx, order.game, order.stake, limitMs);
      const earlier = await findCommand(tx, playerId, order.commandId);
      if (earlier !== null) return toRepeated(earlier, order);
      if (order.feeBps !== feeBps()) throw new RefusedInTransaction("fee_changed");
      const openGame = await loadOpenGame(tx, playerId);
      if (openGame !== null) {
        throw new RefusedInTransaction(openGame.status === "waiting" ? "pending_game_exists" : "active_game_exists");
      }
      if (order.byInvitation === true) return await this.#insert(tx, order, limitMs);
      const neverPaired = await findNeverPaired(tx, playerId);
      const waiting = await loadWaitingOn(tx, { ...order, limitMs, seekerId: playerId });
      const creatorIds = waiting.map(({ creatorId }) => creatorId);
      const barred = await findBarred(tx, creatorIds, time.now());
      const candidate = waiting.find(
        ({ gameId, creatorId }) =>
          isOnline(creatorId) && !gone.has(gameId) && !neverPaired.has(creatorId) && !barred.has(creatorId),
      );
      if (candidate !== undefined) return { type: "candidate", gameId: candidate.gameId };
      return await this.#insert(tx, order, limitMs);
    });
  }

  async #insert(tx: Tx, order: CreateOrder, limitMs: number): Promise<Found> {
    const { player, commandId, game, stake, feeBps, byInvitation } = order;
    const playerId = player.id;
    const gameId = toGameId(randomUUID());
    const record = decideCreate(game, stake, limitMs, feeBps, playerId, this.#deps.time.now(), commandId, byInvitation);
    const state = open(rulesOf(game), gameId, record);
    const encoded = encodeRecord(record, toFirstHash(gameId));
    await insertGame(tx, state, record, encoded);
    const { wallets } = await takePaidSeat(tx, state, 1, playerId, record);
    await checkSessionOf(tx, order);
    const records = [toSendable(encoded)];
    return { type: "created", content: { state, records, hash: encoded.hash, players: [player, null] }, wallets };
  }

  async #join({ player, commandId, checkSession }: CreateOrder, gameId: GameId): Promise<Answer> {
    const { tables, time } = this.#deps;
    const table = await tables.load(gameId);
    if (table === null) return refused("match_gone");
    const command = { type: "join", id: commandId, player: player.id, pairing: "matchmaking" } as const;
    const queued = { command, joiner: player, checkSession };
    return await new Promise((answer) => table.enqueue({ ...queued, at: time.now(), ...UNMEASURED, answer }));
  }

  async #repeat(gameId: GameId, commandId: CommandId): Promise<Answer> {
    const table = await this.#deps.tables.load(gameId);
    // The command is committed. A table that does not know it is behind its log.
    if (table?.state.answered.find(commandId) === null) await table.resync();
    const answered = table?.state.answered.find(commandId) ?? null;
    return table === null || answered === null ? UNKNOWN : done(table.state, answered.version, true);
  }
}

/** A seeker pays as much as a creator and gets the texts of creating. */
function toSeekerRefusal({ code, figures }: Refusal): Answer {
  return refused(code === "insufficient_to_join" ? "insufficient_to_create" : code, figures);
}

function toRepeated(earlier: SeatCommand, order: CreateOrder): Found {
  const { game, stake, byInvitation } = order;
  const terms = { game, stake, limitMs: order.limitMinutes * 60_000 };
  const content = formatCreate(byInvitation === true ? { ...terms, byInvitation } : terms);
  const isSame = earlier.content === content || earlier.content === toJoinContent(earlier.gameId);
  if (!isSame) throw new RefusedInTransaction("command_id_reused");
  return { type: "repeated", gameId: earlier.gameId };
}
