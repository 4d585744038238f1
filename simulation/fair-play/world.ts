import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Arena } from "./arena.ts";
import type { Actor } from "./clock.ts";
import type { Draw } from "./draw.ts";
import { type FlowReading, readFlows } from "./explain.ts";
import { type Pace, playGame } from "./game.ts";
import type { Library, Skill } from "./library.ts";
import { type Lobby, openLobby, type Person, type Seats, type Terms } from "./lobby.ts";
import type { Traits } from "./people.ts";
import { type GamePlan, planDraw, planLoss, planThrown } from "./plan.ts";

export interface Request {
  readonly person: Person;
  readonly at: Instant;
  readonly naira: number;
  /** The payment, or why it was refused. */
  readonly outcome: string;
  /** What the signals said about the coins of the wallet. */
  readonly flows: readonly FlowReading[];
}

/** What all people act in, and what is written down about them. */
export interface World {
  readonly arena: Arena;
  readonly library: Library;
  readonly lobby: Lobby;
  readonly requests: readonly Request[];
  readonly deposits: readonly { readonly person: Person; readonly reference: string; readonly at: Instant }[];
  readonly games: { played: number; plies: number };
  addPeople(traits: readonly Traits[], names: readonly string[], draw: Draw): Promise<readonly Person[]>;
  setFriends(person: Person, friends: readonly Person[]): void;
  friendsOf(person: Person): readonly Person[];
  /** Whether there is no power where they are. */
  isCut(person: Person, at: Instant): boolean;
  enter(actor: Actor, person: Person): Promise<void>;
  leave(actor: Actor, person: Person): Promise<void>;
  /** The deposit's reference; null if it was refused. */
  deposit(person: Person, naira: number, byCard: boolean): Promise<string | null>;
  withdraw(person: Person, naira: number): Promise<Request>;
}

interface WorldOptions {
  readonly arena: Arena;
  readonly library: Library;
  readonly draw: Draw;
  readonly addresses: readonly string[];
}

const DRAWS = 0.04;
const OUTAGES = 0.01;
const OUTAGE_MS = 20 * MINUTE_MS;
const TILT = { losses: 3, chance: 0.1 };
/** A call, a bus that arrives: someone leaves a game that they do not lose. */
const LEAVES = 0.015;
const ENGINE_WINS = 0.93;
const ENGINE_PACE: Pace = { medianMs: 5_000, spread: 0.15 };
const ELO = 400;

export function openWorld({ arena, library, draw, addresses }: WorldOptions): World {
  const requests: Request[] = [];
  const deposits: { person: Person; reference: string; at: Instant }[] = [];
  const friends = new Map<PlayerId, readonly Person[]>();
  const outages = new Map<number, Instant>();
  const games = { played: 0, plies: 0 };
  const { modules, time } = arena;

  async function play(actor: Actor, gameId: GameId, terms: Terms, seats: Seats): Promise<void> {
    const [white, black] = seats;
    const deal = white.deal?.with === black ? white.deal : black.deal?.with === white ? black.deal : null;
    const skills = [toSkill(white), toSkill(black)] as const;
    const plan = deal === null ? await planHonestly(actor, terms, seats, skills) : await deal.plan(terms, seats);
    const seated = seats.map((person, index) => ({
      account: person.account,
      pace: skills[index] === person.traits.skill ? person.traits.pace : ENGINE_PACE,
    })) as unknown as Parameters<typeof playGame>[3]["seats"];
    const limitMs = terms.limitMinutes * MINUTE_MS;
    await playGame(arena, actor, draw, { gameId, seats: seated, limitMs }, plan);
    games.played += 1;
    games.plies += plan.plies;
    for (const [index, person] of seats.entries()) person.losses = plan.loser === index + 1 ? person.losses + 1 : 0;
  }

  async function planHonestly(
    actor: Actor,
    { game }: Terms,
    seats: Seats,
    skills: readonly [Skill, Skill],
  ): Promise<GamePlan> {
    const sides = { game, skills };
    const plies = draw.whole(10, 40);
    const cut = findCut(actor, seats);
    if (cut !== null) {
      const offline = { ...(await planThrown(library, draw, sides, cut, plies, "flag")), isOffline: true };
      return offline;
    }
    for (const [index, person] of seats.entries()) {
      const isTilted = person.losses >= TILT.losses && draw.chance(TILT.chance);
      if (!isTilted && !draw.chance(LEAVES / 2)) continue;
      const end = draw.chance(0.6) ? "resign" : "flag";
      return await planThrown(library, draw, sides, (index + 1) as Seat, draw.whole(6, 36), end);
    }
    if (draw.chance(DRAWS)) return await planDraw(library, draw, sides);
    return await planLoss(library, draw, sides, drawLoser(seats, skills));
  }

  /** Whose power is cut, with all others of the area. */
  function findCut(actor: Actor, seats: Seats): Seat | null {
    if (draw.chance(OUTAGES)) {
      outages.set(draw.pick(seats).traits.area, (actor.now() + OUTAGE_MS) as Instant);
    }
    const index = seats.findIndex((person) => isCut(person, actor.now()));
    return index < 0 ? null : ((index + 1) as Seat);
  }

  function isCut({ traits }: Person, at: Instant): boolean {
    return (outages.get(traits.area) ?? 0) > at;
  }

  function drawLoser([white, black]: Seats, skills: readonly [Skill, Skill]): Seat {
    if (typeof skills[0] === "string" || typeof skills[1] === "string") {
      const engine = typeof skills[0] === "string" ? 1 : 2;
      return draw.chance(ENGINE_WINS) ? ((3 - engine) as Seat) : engine;
    }
    const expected = 1 / (1 + 10 ** ((black.traits.strength - white.traits.strength) / ELO));
    return draw.chance(expected) ? 2 : 1;
  }

  const world: World = {
    arena,
    library,
    lobby: openLobby(arena, play),
    requests,
    deposits,
    games,
    async addPeople(traits, names, own) {
      const added = await arena.addAccounts(
        traits.map(({ ageDays }, index) => ({
          username: names[index]!,
          createdAt: (time.now() - ageDays * 24 * 60 * MINUTE_MS) as Instant,
        })),
      );
      return added.map((account, index) => ({
        account,
        traits: traits[index]!,
        draw: own.fork(account.username),
        losses: 0,
        isFree: false,
        isPlaying: false,
        cheats: null,
        deal: null,
      }));
    },
    setFriends: (person, known) => void friends.set(person.account.id, known),
    friendsOf: ({ account }) => friends.get(account.id) ?? [],
    isCut,
    async enter(actor, person) {
      const { address, device } = person.traits;
      const from = address.startsWith("carrier") ? person.draw.pick(addresses) : address;
      modules.lobby.connect(person.account.id);
      await arena.noteLogin(person.account, actor.now(), device, from);
      person.isFree = true;
    },
    async leave(actor, person) {
      while (person.isPlaying) await actor.sleep(20_000);
      person.isFree = false;
      modules.lobby.disconnect(person.account.id);
    },
    async deposit(person, naira, byCard) {
      const reference = await arena.deposit(person.account, naira * 100, byCard ? person.traits.card : null);
      if (reference !== null) deposits.push({ person, reference, at: time.now() });
      return reference;
    },
    async withdraw(person, naira) {
      await arena.screen();
      const flows = await readFlows(arena, person.account.id);
      const payment = await arena.withdraw(person.account, naira * 100, person.traits.bankAccount);
      const outcome = typeof payment === "string" ? payment : payment.reference;
      const request = { person, at: time.now(), naira, outcome, flows };
      requests.push(request);
      return request;
    },
  };
  return world;

  function toSkill(person: Person): Skill {
    return person.cheats?.(draw) ?? person.traits.skill;
  }
}
