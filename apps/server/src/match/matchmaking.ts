import { assert, assertNever } from "@holo/kernel/assert.ts";
import { type CommandId, type GameId, type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { MatchView, PlayerView } from "@holo/protocol/game/games.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import { type BySeat, ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { formatCreate } from "@holo/table/command-content.ts";
import { decide, decideCreate } from "@holo/table/decide.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { toGameFeeBps } from "@holo/table/platform-fee.ts";
import { NEW_PLAYER } from "@holo/table/rating.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import {
  type Answer,
  done,
  type Finding,
  findCommand,
  findFactsOf,
  type Games,
  type LifecycleJob,
  type LoadPlayers,
  listSeatFacts,
  loadGames,
  loadMatchViews,
  loadSeatFacts,
  makeNewGame,
  type Prevented,
  type Refusal,
  Refusals,
  refused,
  type SeatCommand,
  type SessionCheck,
  SharedAnswers,
  toFailure,
  toJoinContent,
  toPaidSeat,
  UNKNOWN,
  type Verdict,
} from "../game/game.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import { randomUUID, sleep } from "../platform/runtime.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import type { Time } from "../platform/time/time.ts";
import { isWithinBands, type Seek } from "./rating-band.ts";
import { type Place, type Seeker, SeekerQueue } from "./seekers.ts";
import type { Seeks } from "./seeks.ts";
import { toTermsKey, type WaitingGames } from "./waiting-games.ts";
import { findSeatRefusal, isIneligible, isKeptApart } from "./who-may-sit.ts";

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
  /** Seeks within a band around the player's rating, which widens while they wait. */
  readonly nearRating?: boolean | undefined;
  readonly session?: SessionCheck | undefined;
  /** The player no longer waits for it: refused as `too_late` unless it was carried out before. */
  readonly isLate?: boolean | undefined;
}

interface MatchmakingDeps {
  readonly queries: Queries;
  readonly games: Pick<Games, "begin" | "beforeNextBegins" | "findBegun" | "isClosing" | "join">;
  readonly loadPlayers: LoadPlayers;
  readonly own: Pick<OwnServer, "isShared">;
  readonly waitingGames: WaitingGames;
  readonly seeks: Seeks;
  readonly time: Pick<Time, "now" | "monotonicMs">;
  readonly log: Log;
  readonly feeBps: () => number;
  readonly isOnline: (playerId: PlayerId) => boolean;
}

interface SeekingPlayer extends Seeker {
  readonly order: CreateOrder;
  readonly limitMs: number;
  /** Since now: a seeker who has to wait does so with a game. */
  seek: Seek;
  /** A commit for them had an unknown outcome: they may be seated already. */
  isUnsure: boolean;
}

/** Null: the seeker continues to search. */
type SeekOutcome = Answer | null;
type PairOutcomes = BySeat<SeekOutcome>;
type SeekPlace = Place<PairOutcomes>;

const RETRY_MS = 200;
const KNOWN_ONLINE_WITHIN_MS = 3_000;
/** The seeker continues: the game is gone, or the two were separated a moment ago. */
const NO_SUCH_MATCH: ReadonlySet<RefusalCode> = new Set(["match_gone", "blocked_pair"]);

/**
 * Pairs seekers in memory; the database judges. A player is checked in the transaction that seats
 * them, and a waiting game can be joined once. Each player has one request here at a time.
 */
export class Matchmaking {
  readonly #deps: MatchmakingDeps;
  readonly #players = new Map<PlayerId, Promise<unknown>>();
  readonly #queues = new Map<string, SeekerQueue<SeekingPlayer, PairOutcomes>>();
  readonly #shared = new SharedAnswers();
  /** A copy of a refused request must not be carried out. */
  readonly #refusals: Refusals;

  constructor(deps: MatchmakingDeps) {
    this.#deps = deps;
    this.#refusals = new Refusals(deps.time);
  }

  /**
   * Joins the longest waiting game on the same terms, fee included, or creates one that waits
   * (ruling 23); by invitation it only creates.
   */
  create(order: CreateOrder): Promise<Answer> {
    const { player, commandId, game, stake, limitMinutes, feeBps, byInvitation = false, nearRating = false } = order;
    const key = `${commandId} ${game} ${stake} ${limitMinutes} ${feeBps} ${byInvitation} ${nearRating}`;
    return this.#shared.share(`${player.id} ${key}`, async () => {
      if (this.#deps.games.isClosing) return UNKNOWN;
      const known = this.#refusals.findCreate(player.id, key);
      if (known !== undefined) return known;
      const answer = await this.#create(order);
      if (answer.type === "refused") this.#refusals.keepCreate(player.id, key, answer);
      return answer;
    });
  }

  /** Waits for seekers that are being seated; the others have to resend. */
  close(): Promise<void> {
    return this.#shared.settle();
  }

  async #create(order: CreateOrder): Promise<Answer> {
    const { id: playerId } = order.player;
    const limitMs = order.limitMinutes * 60_000;
    const seek = { rating: NEW_PLAYER.rating, nearRating: order.nearRating === true };
    const sets = { gone: new Set<GameId>(), avoided: new Set<PlayerId>() };
    const seeker = { order, playerId, limitMs, seek, ...sets, isUnsure: false };
    try {
      return await this.#inTurn(playerId, () => (order.isLate === true ? this.#findLate(seeker) : this.#seek(seeker)));
    } catch (err) {
      // The game may have been committed; the same command finds it then.
      this.#deps.log.error({ err }, "a seeker could not be seated");
      return toFailure(err);
    }
  }

  /** Runs `work` after the player's earlier requests, whatever their outcome. */
  #inTurn<Value>(playerId: PlayerId, work: () => Promise<Value>): Promise<Value> {
    const turn = (this.#players.get(playerId) ?? Promise.resolve()).then(work, work);
    this.#players.set(playerId, turn);
    const leave = (): void => {
      if (this.#players.get(playerId) === turn) this.#players.delete(playerId);
    };
    turn.then(leave, leave);
    return turn;
  }

  async #seek(seeker: SeekingPlayer): Promise<Answer> {
    const { order } = seeker;
    if (order.feeBps !== toGameFeeBps(order.stake, this.#deps.feeBps()))
      return (await this.#findRepeated(seeker)) ?? refused("fee_changed");
    if (order.byInvitation !== true) await this.#learnRatings(seeker);
    for (;;) {
      if (this.#deps.games.isClosing) return UNKNOWN;
      const answer = order.byInvitation === true ? await this.#createAlone(seeker) : await this.#findPlace(seeker);
      if (answer !== null) return answer;
    }
  }

  async #learnRatings(seeker: SeekingPlayer): Promise<void> {
    const { seeks, waitingGames } = this.#deps;
    const { game, stake } = seeker.order;
    const [rating] = await Promise.all([
      seeks.loadRating(seeker.playerId, game, stake),
      seeks.learn(waitingGames.list(seeker.order).map(({ id }) => id)),
    ]);
    seeker.seek = { ...seeker.seek, rating };
  }

  async #findPlace(seeker: SeekingPlayer): Promise<SeekOutcome> {
    const key = toTermsKey(seeker.order);
    const queue = this.#queues.get(key) ?? this.#openQueue();
    this.#queues.set(key, queue);
    const place = await queue.find(seeker);
    try {
      return this.#deps.games.isClosing ? await awaitSeat(place) : await this.#attempt(seeker, place);
    } finally {
      queue.leave(place);
      if (queue.isIdle) this.#queues.delete(key);
    }
  }

  #openQueue(): SeekerQueue<SeekingPlayer, PairOutcomes> {
    return new SeekerQueue({
      findGames: (seeker) => this.#findGames(seeker).map(({ id }) => id),
      suits: (one, other) => {
        const at = this.#deps.time.now();
        return isWithinBands({ ...one.seek, sinceAt: at }, { ...other.seek, sinceAt: at }, at);
      },
      startPair: (first, second) => this.#startPair(first, second),
      beforeCreating: (call) => this.#deps.games.beforeNextBegins(call),
    });
  }

  async #findLate(seeker: SeekingPlayer): Promise<Answer> {
    return (await this.#findRepeated(seeker)) ?? refused("too_late");
  }

  #findGames({ order, playerId, gone, seek }: SeekingPlayer): readonly MatchView[] {
    const { waitingGames, seeks, isOnline, time, own } = this.#deps;
    const at = time.now();
    // Another server says within a second that a player is online.
    const isHere = (creatorId: PlayerId, createdAt: number): boolean =>
      isOnline(creatorId) || (own.isShared && at - createdAt < KNOWN_ONLINE_WITHIN_MS);
    // A game that is not known well enough is found again in the transaction that would create one.
    const suits = ({ id, createdAt }: MatchView): boolean => {
      const other = seeks.find(id);
      if (other === undefined) return false;
      return isWithinBands({ ...other, sinceAt: toInstant(createdAt) }, { ...seek, sinceAt: at }, at);
    };
    return waitingGames.list(order).filter((game) => {
      const { id, white, createdAt } = game;
      return white.id !== playerId && !gone.has(id) && isHere(white.id, createdAt) && suits(game);
    });
  }

  async #attempt(seeker: SeekingPlayer, place: SeekPlace): Promise<SeekOutcome> {
    switch (place.type) {
      case "join":
        return await this.#join(seeker, place.gameId);
      case "create":
        return await this.#createAlone(seeker);
      case "pair":
        return ofSeat(await place.paired, place.seat);
      default:
        return assertNever(place);
    }
  }

  async #join(seeker: SeekingPlayer, gameId: GameId): Promise<SeekOutcome> {
    const { player: view, commandId, session } = seeker.order;
    const order = { player: view.id, view, gameId, commandId, pairing: "matchmaking", session } as const;
    const given = await this.#deps.games.join(order);
    const joined = given.type === "refused" && given.code === "unknown_game" ? refused("match_gone") : given;
    if (joined.type !== "refused") return joined;
    // Another copy of the command may have been carried out, here or on another server.
    if (joined.code === "command_id_reused") return (await this.#findRepeated(seeker)) ?? joined;
    if (!NO_SUCH_MATCH.has(joined.code)) return toSeekerRefusal(joined);
    await this.#leaveOut(seeker, gameId);
    return null;
  }

  async #leaveOut(seeker: SeekingPlayer, gameId: GameId): Promise<void> {
    const { queries, time } = this.#deps;
    const { stake } = seeker.order;
    seeker.gone.add(gameId);
    const games = this.#findGames(seeker);
    if (games.length === 0) return;
    const questions = games.map(({ white }) => ({ playerId: white.id, opponentId: seeker.playerId }));
    const facts = await loadSeatFacts(queries, questions, time.now());
    for (const { id, white } of games) {
      const ofCreator = findFactsOf(facts, white.id);
      if (ofCreator === undefined) continue;
      if (isKeptApart(ofCreator, stake) || isIneligible(ofCreator, stake)) seeker.gone.add(id);
    }
  }

  /** Creates a game that waits, unless another waits on its terms that the seeker does not know. */
  async #createAlone(seeker: SeekingPlayer): Promise<SeekOutcome> {
    const { time, waitingGames, seeks } = this.#deps;
    const { order, limitMs, playerId } = seeker;
    const at = time.now();
    const game = makeNewGame(toGameId(randomUUID()), toCreated(seeker, at), { nearRating: order.nearRating });
    const paid = [toPaidSeat(game.state, playerId, 1, toOptions(order, game.state))];
    const known = waitingGames.list(order).flatMap(({ id }) => (seeks.find(id) === undefined ? [] : [id]));
    const search =
      order.byInvitation === true
        ? undefined
        : { ...order, limitMs, playerId, known: [...new Set([...known, ...seeker.gone])] };
    const end = await this.#begin({ at, game, paid, players: [order.player, null], search }, [seeker]);
    if (end === null) return null;
    switch (end.type) {
      case "begun":
        return done(end.state, 1, false);
      case "waiting":
        await this.#learnOf(end.gameIds, seeker);
        return null;
      default:
        return await this.#toAnswer(end, seeker);
    }
  }

  async #learnOf(gameIds: readonly GameId[], seeker: SeekingPlayer): Promise<void> {
    const { queries, loadPlayers, waitingGames, seeks } = this.#deps;
    const found = await loadGames(queries, gameIds);
    const waiting = found.filter(({ status, pairing }) => status === "waiting" && pairing === null);
    for (const match of await loadMatchViews(waiting, loadPlayers)) waitingGames.note(match);
    await seeks.learn(gameIds.filter((gameId) => waitingGames.has(gameId)));
    for (const gameId of gameIds) if (!waitingGames.has(gameId)) seeker.gone.add(gameId);
  }

  /** Two seekers begin a game in one transaction: the first creates, the second joins. */
  async #startPair(first: SeekingPlayer, second: SeekingPlayer): Promise<PairOutcomes> {
    const at = this.#deps.time.now();
    const gameId = toGameId(randomUUID());
    const join = (waiting: TableState<unknown>): LogRecord => {
      const command = {
        type: "join",
        id: second.order.commandId,
        player: second.playerId,
        pairing: "matchmaking",
      } as const;
      const joined = decide(rulesOf(waiting.game), waiting, command, at);
      assert(joined.ok && joined.value.type === "decided", "a player joins the game of another");
      return joined.value.record;
    };
    const game = makeNewGame(gameId, toCreated(first, at), { join });
    const joinCommand = { id: second.order.commandId, content: toJoinContent(gameId) };
    const paid = [
      toPaidSeat(game.state, first.playerId, 1, toOptions(first.order, game.state)),
      toPaidSeat(game.state, second.playerId, 2, { command: joinCommand, session: second.order.session }),
    ];
    const players = [first.order.player, second.order.player] as const;
    const end = await this.#begin({ at, game, paid, players }, [first, second]);
    if (end === null) return [null, null];
    if (end.type === "begun") return [done(end.state, 1, false), done(end.state, 2, false)];
    if (end.type === "refused" && end.code === "blocked_pair") {
      first.avoided.add(second.playerId);
      return [null, null];
    }
    const isSecond = "playerId" in end && end.playerId === second.playerId;
    const seeker = isSecond ? second : first;
    const answer = await this.#toAnswer(end, seeker);
    return seeker === first ? [answer, null] : [null, answer];
  }

  /** Null: the outcome was unknown, and the seekers try again, once. */
  async #begin(beginning: Parameters<Games["begin"]>[0], seekers: readonly SeekingPlayer[]) {
    try {
      return await this.#deps.games.begin(beginning, judge);
    } catch (err) {
      if (seekers.some(({ isUnsure }) => isUnsure)) throw err;
      this.#deps.log.warn({ err }, "seating a player had an unknown outcome; trying again");
      for (const seeker of seekers) seeker.isUnsure = true;
      await sleep(RETRY_MS);
      return null;
    }
  }

  async #toAnswer(end: Prevented, seeker: SeekingPlayer): Promise<Answer> {
    switch (end.type) {
      case "refused":
        return toSeekerRefusal(end);
      case "repeated":
        return await this.#repeat(end.command, seeker);
      default:
        throw new Error(`a seeker was prevented as ${end.type}`);
    }
  }

  /** The answer of the same command, carried out before; null if it was not. */
  async #findRepeated(seeker: SeekingPlayer): Promise<SeekOutcome> {
    const earlier = await findCommand(this.#deps.queries, seeker.playerId, seeker.order.commandId);
    return earlier === null ? null : await this.#repeat(earlier, seeker);
  }

  async #repeat({ content, gameId }: SeatCommand, { order, isUnsure, limitMs }: SeekingPlayer): Promise<Answer> {
    const { game, stake, byInvitation } = order;
    const terms = { game, stake, limitMs };
    const own = formatCreate(byInvitation === true ? { ...terms, byInvitation } : terms);
    if (content !== own && content !== toJoinContent(gameId)) return refused("command_id_reused");
    const state = await this.#deps.games.findBegun(gameId, isUnsure);
    const answered = state?.answered.find(order.commandId) ?? null;
    return state === null || answered === null ? UNKNOWN : done(state, answered.version, true);
  }
}

/** At a shutdown only a pair is still awaited, whose game is being committed. */
async function awaitSeat(place: SeekPlace): Promise<Answer> {
  return (place.type === "pair" ? ofSeat(await place.paired, place.seat) : null) ?? UNKNOWN;
}

function toCreated({ order, limitMs, playerId }: SeekingPlayer, at: LifecycleJob["at"]) {
  const { game, stake, feeBps, commandId, byInvitation } = order;
  return decideCreate(game, stake, limitMs, feeBps, playerId, at, commandId, byInvitation);
}

function toOptions({ commandId, session }: CreateOrder, state: TableState<unknown>) {
  return { command: { id: commandId, content: state.answered.find(commandId)!.content }, session };
}

function judge(findings: readonly Finding[], job: LifecycleJob): Verdict {
  const facts = listSeatFacts(findings);
  const repeated = facts.find(({ command }) => command !== undefined);
  if (repeated?.command !== undefined) {
    return { type: "repeated", playerId: repeated.player, command: repeated.command };
  }
  const refusal = findSeatRefusal(job.seats, facts, job.at);
  if (refusal !== null) return { type: "refused", ...refusal };
  const gameIds = findings.flatMap((finding) => (finding.type === "waiting" ? [finding.gameId] : []));
  return gameIds.length > 0 ? { type: "waiting", gameIds } : { type: "accepted", job };
}

/** A seeker pays as much as a creator and gets the texts of creating. */
function toSeekerRefusal({ code, figures }: Refusal): Answer {
  return refused(code === "insufficient_to_join" ? "insufficient_to_create" : code, figures);
}
