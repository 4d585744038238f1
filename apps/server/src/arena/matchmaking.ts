import { randomUUID } from "node:crypto";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/views.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import { decideCreate } from "@holo/table/decide.ts";
import { formatCreate, open } from "@holo/table/evolve.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Wallet } from "../ledger/ledger.ts";
import type { Database, Tx } from "../platform/database.ts";
import { type Answer, refused } from "./answer.ts";
import { rulesOf } from "./games.ts";
import { toFirstHash, type WrittenEntry, writeEntry } from "./log-entry.ts";
import { takePaidSeat, termsOf, transactOrRefuse, Withdrawn } from "./settle.ts";
import { findCommand, insertGame, loadOpenGame, loadWaitingOn, lockTerms } from "./store.ts";

export interface CreateOrder {
  readonly player: PlayerView;
  readonly commandId: CommandId;
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
}

export interface Matchmaking {
  /** Joins the longest waiting game on the same terms, or creates one that waits (ruling 23). */
  create(order: CreateOrder): Promise<Answer>;
}

export interface MatchmakingDeps {
  readonly database: Database;
  readonly feeBps: () => number;
  readonly now: () => Instant;
  readonly isOnline: (playerId: PlayerId) => boolean;
  /** Sits down at a waiting game under this command, recorded with this content. */
  readonly join: (player: PlayerView, gameId: GameId, commandId: CommandId) => Promise<Answer>;
  readonly keep: (
    state: TableState<unknown>,
    written: WrittenEntry,
    player: PlayerView,
    wallets: readonly Wallet[],
  ) => void;
  /** The answer for a command that was carried out before. */
  readonly repeat: (gameId: GameId) => Promise<Answer>;
}

/** A waiting game can be gone by the time it is joined; after so many the seeker waits instead. */
const TRIES_MAX = 20;

type Found =
  | { readonly type: "repeated"; readonly gameId: GameId }
  | { readonly type: "waiting"; readonly gameId: GameId }
  | {
      readonly type: "created";
      readonly state: TableState<unknown>;
      readonly written: WrittenEntry;
      readonly wallets: readonly Wallet[];
    };

/**
 * Seekers on the same terms come one at a time, by an advisory lock: who finds nobody waiting inserts a waiting game before the next may
 * look, so two never both wait. The seat itself goes to one by the version of its game, so two never both take it.
 */
export function openMatchmaking(deps: MatchmakingDeps): Matchmaking {
  async function find(
    order: CreateOrder,
    tried: ReadonlySet<GameId>,
  ): Promise<ReturnType<typeof transactOrRefuse<Found>>> {
    return transactOrRefuse(deps.database, async (tx): Promise<Found> => {
      const limitMs = order.limitMinutes * 60_000;
      const playerId = order.player.id as PlayerId;
      await lockTerms(tx, order.game, order.stake, limitMs);
      const earlier = await findCommand(tx, playerId, order.commandId);
      if (earlier !== null) return toRepeated(earlier, order);
      const openGame = await loadOpenGame(tx, playerId);
      if (openGame !== null) {
        throw new Withdrawn(openGame.status === "waiting" ? "pending_game_exists" : "active_game_exists");
      }
      if (tried.size < TRIES_MAX) {
        const games = await loadWaitingOn(tx, order.game, order.stake, limitMs, playerId);
        const match = games.find((game) => !tried.has(game.gameId) && deps.isOnline(game.creatorId));
        if (match !== undefined) return { type: "waiting", gameId: match.gameId };
      }
      return await insert(tx, order, limitMs);
    });
  }

  async function insert(tx: Tx, order: CreateOrder, limitMs: number): Promise<Found> {
    const playerId = order.player.id as PlayerId;
    const rules = rulesOf(order.game);
    const gameId = randomUUID() as GameId;
    const entry = decideCreate(order.game, order.stake, limitMs, deps.feeBps(), playerId, deps.now(), order.commandId);
    const state = open(rules, gameId, entry);
    const written = writeEntry(entry, toFirstHash(gameId));
    await insertGame(tx, state, written, termsOf(state), toDeadline(rules, state, NO_DELIVERY)?.at ?? null);
    const posted = await takePaidSeat(tx, state, 1, playerId, entry);
    return { type: "created", state, written, wallets: posted.wallets };
  }

  return {
    async create(order) {
      const tried = new Set<GameId>();
      for (;;) {
        const found = await find(order, tried);
        if (!found.ok) return refused(found.refusal.code, found.refusal.figures);
        switch (found.value.type) {
          case "repeated":
            return await deps.repeat(found.value.gameId);
          case "created": {
            const { state, written, wallets } = found.value;
            deps.keep(state, written, order.player, wallets);
            return { type: "done", gameId: state.gameId, version: 1, status: "waiting", isRepeat: false };
          }
          case "waiting": {
            const answer = await deps.join(order.player, found.value.gameId, order.commandId);
            if (answer.type === "done" || answer.code !== "match_gone") return toCreateAnswer(answer);
            tried.add(found.value.gameId);
          }
        }
      }
    },
  };
}

/** Who seeks pays as much as who creates, and is told so in the words of creating. */
function toCreateAnswer(answer: Answer): Answer {
  if (answer.type === "refused" && answer.code === "insufficient_to_join") {
    return refused("insufficient_to_create", answer.figures);
  }
  return answer;
}

function toRepeated(earlier: { readonly content: string; readonly gameId: GameId }, order: CreateOrder): Found {
  const content = formatCreate({ game: order.game, stake: order.stake, limitMs: order.limitMinutes * 60_000 });
  const isSame = earlier.content === content || earlier.content === `join ${earlier.gameId}`;
  if (!isSame) throw new Withdrawn("command_id_reused");
  return { type: "repeated", gameId: earlier.gameId };
}
