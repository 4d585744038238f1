import type { GameId } from "@holo/kernel/ids.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { type Account, type Arena, FEE_BPS, newId } from "./arena.ts";
import type { Actor } from "./clock.ts";
import type { Draw } from "./draw.ts";
import type { Game, Skill } from "./library.ts";
import type { Traits } from "./people.ts";
import type { GamePlan } from "./plan.ts";

/** Someone of the population with an account. */
export interface Person {
  readonly account: Account;
  readonly traits: Traits;
  readonly draw: Draw;
  /** Losses in a row. */
  losses: number;
  /** In a session, and neither playing nor looking for a game. */
  isFree: boolean;
  isPlaying: boolean;
  /** With what help they play the next game; null: with none. */
  cheats: ((draw: Draw) => Skill | null) | null;
  /** What was agreed on for a game with this one. */
  deal: Deal | null;
}

export interface Deal {
  readonly with: Person;
  readonly plan: (terms: Terms, seats: Seats) => Promise<GamePlan>;
}

export interface Terms {
  readonly game: Game;
  readonly stake: Stake;
  readonly limitMinutes: 5 | 10;
}

/** White, who created the game, and black. */
export type Seats = readonly [Person, Person];

/** Plays the game that two have sat down to. */
export type Play = (actor: Actor, gameId: GameId, terms: Terms, seats: Seats) => Promise<void>;

export type Pairing = "invitation" | "address" | "matchmaking";

export interface Lobby {
  /** Plays a game on these terms, or one that waits; false if no one came. */
  seek(actor: Actor, person: Person, terms: Terms, choose?: (waiting: Person) => boolean): Promise<boolean>;
  /** `pairing` is how the two meet; in the queue another may come between. False: no game. */
  meet(actor: Actor, seats: Seats, terms: Terms, pairing: Pairing): Promise<boolean>;
}

/** Someone at a table, until the other of the two comes. */
interface Seated {
  readonly gameId: GameId;
  readonly person: Person;
  readonly isWhite: boolean;
  readonly terms: Terms;
  game: Promise<void> | null;
  /** Came second, and plays for both. */
  plays: boolean;
}

const LOOK_EVERY_MS = 15_000;
const LOOKS = 8;
const OTHER_TERMS_AFTER = 2;
const INVITATION_MS = 4_000;
const QUEUE_MS = 2_000;

/** Brings the two of each game together: the server tells each of them their own seat only. */
export function openLobby(arena: Arena, play: Play): Lobby {
  const { matches, games } = arena.modules;
  const tables = new Map<GameId, Seated>();

  /** The one who comes second plays the game for both. */
  function sit(actor: Actor, gameId: GameId, person: Person, isWhite: boolean, terms: Terms): Seated {
    const other = tables.get(gameId);
    const own: Seated = { gameId, person, isWhite, terms, game: null, plays: false };
    if (other === undefined) {
      tables.set(gameId, own);
      return own;
    }
    tables.delete(gameId);
    const seats = isWhite ? ([person, other.person] as const) : ([other.person, person] as const);
    for (const one of seats) one.isPlaying = true;
    const game = play(actor, gameId, isWhite ? terms : other.terms, seats).finally(() => {
      for (const one of seats) one.isPlaying = false;
    });
    // Both learn of a failure.
    game.catch(() => undefined);
    own.game = game;
    own.plays = true;
    other.game = game;
    return own;
  }

  async function create(actor: Actor, person: Person, terms: Terms, byInvitation = false): Promise<Seated | null> {
    const order = { player: person.account.view, commandId: newId(), feeBps: FEE_BPS, byInvitation, ...terms };
    const answer = await matches.create(order);
    if (answer.type !== "done") return null;
    return sit(actor, answer.gameId, person, answer.version === 1, terms);
  }

  async function join(actor: Actor, person: Person, { gameId, terms }: Seated, invitation?: string) {
    const answer = await matches.join(person.account.view, gameId, newId(), { invitation });
    return answer.type === "done" ? sit(actor, gameId, person, false, terms) : null;
  }

  /** Plays the game to its end; false if it was cancelled, because no one came. */
  async function playOrCancel(actor: Actor, own: Seated): Promise<boolean> {
    if (own.game === null && own.isWhite) {
      const cancelled = await games.cancel(own.person.account.id, own.gameId, newId(), true);
      if (cancelled.type === "done") {
        tables.delete(own.gameId);
        return false;
      }
    }
    // The other's answer is on its way.
    while (own.game === null) await actor.sleep(500);
    await (own.plays ? own.game : actor.idle(own.game));
    return true;
  }

  /** By the lobby: on other terms than one's own. */
  async function joinOne(actor: Actor, person: Person, choose: (waiting: Person) => boolean): Promise<boolean> {
    for (const found of [...tables.values()]) {
      if (found.person === person || !found.isWhite || found.game !== null || !choose(found.person)) continue;
      const own = await join(actor, person, found);
      if (own !== null) return await playOrCancel(actor, own);
    }
    return false;
  }

  async function seek(actor: Actor, person: Person, terms: Terms, choose?: (waiting: Person) => boolean) {
    if (choose !== undefined && (await joinOne(actor, person, choose))) return true;
    const own = await create(actor, person, terms);
    if (own === null) return false;
    if (own.game !== null) return await playOrCancel(actor, own);
    for (let look = 0; look < LOOKS && own.game === null; look += 1) {
      await actor.sleep(LOOK_EVERY_MS);
      // Leaves for a game that waits on other terms.
      if (look >= OTHER_TERMS_AFTER && [...tables.values()].some((one) => one !== own && one.isWhite)) break;
    }
    return (await playOrCancel(actor, own)) || (await joinOne(actor, person, () => true));
  }

  async function meet(actor: Actor, [host, guest]: Seats, terms: Terms, pairing: Pairing): Promise<boolean> {
    const own = await create(actor, host, terms, pairing === "invitation");
    if (own === null) return false;
    // Someone else waited on these terms.
    if (own.game !== null) return await playOrCancel(actor, own);
    await actor.sleep(pairing === "matchmaking" ? QUEUE_MS : INVITATION_MS);
    if (own.game === null && own.isWhite) {
      const token = await matches.findOwnInvitation(own.gameId, host.account.id);
      const isQueue = pairing === "matchmaking";
      const other = isQueue
        ? await create(actor, guest, terms)
        : await join(actor, guest, own, token === null ? undefined : token);
      // One acts for both: another may have come between, in the queue.
      if (other !== null) await playOrCancel(actor, other);
    }
    return await playOrCancel(actor, own);
  }

  return { seek, meet };
}
