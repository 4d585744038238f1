import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { InvitationView } from "@holo/protocol/match/invitations.ts";
import {
  type Answer,
  findCommand,
  findFactsOf,
  type Games,
  type LoadPlayers,
  loadGame,
  loadMatchViews,
  loadSeatFacts,
  refused,
  type SessionCheck,
  toJoinContent,
} from "../game/game.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { openInvitations } from "./invitations.ts";
import { type CreateOrder, Matchmaking } from "./matchmaking.ts";
import { Seeks } from "./seeks.ts";
import type { WaitingGames } from "./waiting-games.ts";
import { openWaitingPairs } from "./waiting-pairs.ts";
import { toCoolDownEndAt } from "./who-may-sit.ts";

export { openWaitingGames, WaitingGames } from "./waiting-games.ts";
export { SEAT_RULES } from "./who-may-sit.ts";

interface JoinOptions {
  /** As the player sent it; a game by invitation requires it (ruling 42). */
  readonly invitation?: string | undefined;
  readonly session?: SessionCheck | undefined;
  /** Its player no longer expects it: refused as `too_late` unless it was carried out before. */
  readonly isLate?: boolean | undefined;
}

/** How players sit down: commands are idempotent by their id, answered once they are on disk. */
export interface Matches {
  create(order: CreateOrder): Promise<Answer>;
  join(player: PlayerView, gameId: GameId, commandId: CommandId, options?: JoinOptions): Promise<Answer>;
  /** Whether it is the token of the game's link. */
  isInvitation(token: string | undefined, gameId: GameId): boolean;
  /** The token of a waiting game, for its creator; null otherwise. */
  findOwnInvitation(gameId: GameId, playerId: PlayerId): Promise<string | null>;
  /** What a link shows; null if its token is not valid. */
  findInvitation(token: string): Promise<InvitationView | null>;
  loadCoolDownEndAt(playerId: PlayerId): Promise<Instant | null>;
  /** Waits for players who are being seated; the games must have stopped accepting commands. */
  close(): Promise<void>;
}

interface Presence {
  readonly isOnline: (playerId: PlayerId) => boolean;
  readonly isReachable: (playerId: PlayerId) => boolean;
  /** To this server. */
  readonly listConnected: () => readonly PlayerId[];
}

interface MatchesDeps {
  readonly database: Database;
  readonly games: Games;
  readonly waitingGames: WaitingGames;
  readonly own: Pick<OwnServer, "isShared">;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly feeBps: () => number;
  readonly secret: string;
  readonly presence: Presence;
  readonly loadPlayers: LoadPlayers;
}

export function openMatches(deps: MatchesDeps): Matches {
  const { games, time, presence, loadPlayers } = deps;
  const queries = deps.database.kysely;
  const invitations = openInvitations(deps.secret);
  const seeks = new Seeks(queries, deps.waitingGames);
  const matchmaking = new Matchmaking({ ...deps, ...presence, queries, seeks });
  const waitingPairs = openWaitingPairs({ ...deps, seeks });
  const isInvitation: Matches["isInvitation"] = (token, gameId) =>
    token !== undefined && invitations.parse(token) === gameId;

  return {
    isInvitation,
    create: (order) => matchmaking.create(order),
    async join(view, gameId, commandId, { invitation, session, isLate } = {}) {
      const pairing = isInvitation(invitation, gameId) ? "invitation" : "address";
      const answer = await games.join({ player: view.id, view, gameId, commandId, pairing, session, isLate });
      if (answer.type !== "refused") return answer;
      const earlier = await findCommand(queries, view.id, commandId);
      return earlier === null || earlier.content === toJoinContent(gameId) ? answer : refused("command_id_reused");
    },
    async findOwnInvitation(gameId, playerId) {
      const game = await loadGame(queries, gameId);
      const isOwn = game?.status === "waiting" && game.pairing === "invitation" && game.player1_id === playerId;
      return isOwn ? invitations.toToken(gameId) : null;
    },
    async findInvitation(token) {
      const gameId = invitations.parse(token);
      const game = gameId === null ? null : await loadGame(queries, gameId);
      if (game === null || game.pairing !== "invitation") return null;
      const [match] = await loadMatchViews([game], loadPlayers);
      return match === undefined ? null : { match, isCreatorHere: presence.isReachable(game.player1_id) };
    },
    async loadCoolDownEndAt(playerId) {
      const now = time.now();
      const facts = await loadSeatFacts(queries, [{ playerId }], now);
      return toCoolDownEndAt(findFactsOf(facts, playerId)?.missedAt ?? [], now);
    },
    async close() {
      waitingPairs.stop();
      await matchmaking.close();
    },
  };
}
