import { DAY_MS, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { RATE_KOBO } from "./arena.ts";
import type { Actor } from "./clock.ts";
import type { Game } from "./library.ts";
import type { Person, Terms } from "./lobby.ts";
import type { FixedPair } from "./people.ts";
import type { World } from "./world.ts";

const STAKES: readonly (readonly [Stake, number])[] = [
  [1, 55],
  [2, 25],
  [5, 14],
  [10, 6],
];
const MICRO = 1_000_000n;
const AGAIN = 0.35;
const ACTIVE_DAYS = 0.65;
const GAMES_A_DAY_MAX = 14;
/** Lagos is an hour ahead of UTC. */
export const LAGOS_HOURS = 1;
/** Then an evening ends, for example because a friend's night has begun. */
const PATIENCE_MS = HOUR_MS;
const LEAST_WITHDRAWAL_NAIRA = 5_500;

const PIECES: Readonly<Record<Game, number>> = { checkers: 12, chess: 16 };

/** What a seat costs, fee included. */
export function toBuyIn({ game, stake }: Pick<Terms, "game" | "stake">): bigint {
  return (BigInt(stake * PIECES[game]) * MICRO * 1_074n) / 1_000n;
}

export function toNaira(coins: bigint): number {
  return Number((coins * BigInt(RATE_KOBO)) / MICRO / 100n);
}

/** The days of an honest player: deposits, evenings, withdrawals. */
export async function liveHonestly(world: World, actor: Actor, person: Person, days: number): Promise<void> {
  const { draw, traits } = person;
  const startAt = actor.now();
  let deposited = 0;
  let hasPlayed = false;
  for (let day = 0; day < days; day += 1) {
    if (hasPlayed) {
      await sleepUntil(actor, startAt + day * DAY_MS + (9 + 6 * draw.unit() - LAGOS_HOURS) * HOUR_MS);
      await perhapsWithdraw(world, actor, person, deposited);
    }
    if (!draw.chance(ACTIVE_DAYS)) continue;
    const hour = traits.hour + draw.normal(0, 0.4) - LAGOS_HOURS;
    await sleepUntil(actor, startAt + day * DAY_MS + hour * HOUR_MS);
    deposited += await spendEvening(world, actor, person, drawGames(person));
    hasPlayed = true;
  }
  // What is left can be withdrawn once it has settled.
  for (let more = 1; more <= 2; more += 1) {
    await sleepUntil(actor, startAt + (days + more) * DAY_MS + 11 * HOUR_MS);
    await perhapsWithdraw(world, actor, person, 0);
  }
}

export async function sleepUntil(actor: Actor, at: number): Promise<void> {
  if (at > actor.now()) await actor.sleep(at - actor.now());
}

function drawGames({ draw, traits }: Person): number {
  const mean = traits.gamesPerDay / ACTIVE_DAYS;
  let games = 0;
  for (let product = draw.unit(); product > Math.exp(-mean); product *= draw.unit()) games += 1;
  return Math.min(GAMES_A_DAY_MAX, Math.max(1, games));
}

/** Returns what was deposited, in naira. */
export async function spendEvening(world: World, actor: Actor, person: Person, games: number): Promise<number> {
  const { draw, traits, account } = person;
  await world.enter(actor, person);
  let deposited = 0;
  try {
    for (let game = 0; game < games; game += 1) {
      // A friend has invited them, or they wait for power.
      const until = actor.now() + PATIENCE_MS;
      const mayPlay = () => !person.isPlaying && person.isFree && !world.isCut(person, actor.now());
      while (!mayPlay() && actor.now() < until) await actor.sleep(10_000);
      if (!mayPlay()) break;
      const { balance } = await world.arena.loadFunds(account);
      const least = toBuyIn({ game: traits.game, stake: 1 });
      if (balance < least) {
        if (deposited > 0 && !draw.chance(AGAIN)) break;
        const naira = Math.max(5_000, Math.round((traits.depositNaira * draw.lognormal(1, 0.35)) / 500) * 500);
        await world.deposit(person, naira, traits.paysByCard);
        deposited += naira;
        continue;
      }
      await playOne(world, actor, person, balance);
      await actor.sleep(draw.between(5_000, 45_000));
    }
  } finally {
    await world.leave(actor, person);
  }
  return deposited;
}

async function playOne(world: World, actor: Actor, person: Person, balance: bigint): Promise<void> {
  const { draw, traits } = person;
  const terms = drawTerms(person, balance);
  if (draw.chance(traits.friendShare)) {
    const friend = world
      .friendsOf(person)
      .find((one) => one.isFree && !one.isPlaying && !world.isCut(one, actor.now()));
    if (friend !== undefined && (await canPay(world, friend, terms))) {
      friend.isFree = false;
      person.isFree = false;
      await world.lobby.meet(actor, [person, friend], terms, "invitation");
      friend.isFree = true;
      person.isFree = true;
      return;
    }
  }
  person.isFree = false;
  // A farmer looks for the weakest who wait.
  const choose = traits.isFarmer ? (waiting: Person) => waiting.traits.strength < 1_400 : undefined;
  await world.lobby.seek(actor, person, terms, choose);
  person.isFree = true;
}

export async function canPay(world: World, { account }: Person, terms: Terms): Promise<boolean> {
  const { balance } = await world.arena.loadFunds(account);
  return balance >= toBuyIn(terms);
}

function drawTerms({ draw, traits }: Person, balance: bigint): Terms {
  const game = draw.chance(0.9) ? traits.game : draw.pick(["checkers", "chess"] as const);
  const payable = STAKES.filter(([stake]) => toBuyIn({ game, stake }) <= balance);
  const stake = payable.length === 0 ? 1 : draw.weighted(payable);
  return { game, stake, limitMinutes: draw.chance(0.8) ? 5 : 10 };
}

/** Some of those who are well ahead take their winnings, others leave them to play with. */
async function perhapsWithdraw(world: World, _actor: Actor, person: Person, deposited: number): Promise<void> {
  const { draw, traits } = person;
  const { withdrawable } = await world.arena.loadFunds(person.account);
  const naira = toNaira(withdrawable);
  const target = Math.max(LEAST_WITHDRAWAL_NAIRA, Math.min(deposited, 1.2 * traits.depositNaira));
  if (naira < target || !draw.chance(0.5)) return;
  const part = draw.chance(0.5) ? 1 : draw.between(0.4, 1);
  const asked = Math.max(LEAST_WITHDRAWAL_NAIRA, Math.floor((naira * part) / 100) * 100 - 100);
  if (asked <= naira - 60) await world.withdraw(person, asked);
}

/** The evenings of two who play each other again and again. */
export async function liveAsPair(
  world: World,
  actor: Actor,
  pair: FixedPair,
  people: readonly [Person, Person],
  days: number,
): Promise<void> {
  const { draw } = people[0];
  const startAt = actor.now();
  const nights = pair.kind === "night" ? draw.whole(1, 4) : draw.whole(2, 8);
  const gamesANight = Math.ceil(pair.games / nights);
  const game = draw.pick(["checkers", "chess"] as const);
  for (let night = 0; night < nights; night += 1) {
    const day = Math.floor(((night + draw.unit()) * days) / nights);
    await sleepUntil(actor, startAt + day * DAY_MS + (22.4 - LAGOS_HOURS) * HOUR_MS);
    for (const person of people) await world.enter(actor, person);
    const stake = draw.weighted<Stake>([
      [1, 80],
      [2, 20],
    ]);
    for (let played = 0; played < gamesANight; played += 1) {
      if (people.some((person) => person.isPlaying || world.isCut(person, actor.now()))) break;
      const terms: Terms = { game, stake, limitMinutes: 5 };
      const broke = [];
      for (const person of people) if (!(await canPay(world, person, terms))) broke.push(person);
      // A pupil has the purse of everyone else; friends of a whole night lend each other more.
      if (broke.length > 0 && played > 0 && pair.kind === "coach" && !draw.chance(AGAIN)) break;
      for (const person of broke) {
        const { depositNaira, paysByCard } = person.traits;
        await world.deposit(person, Math.max(depositNaira, stake * 8_000), paysByCard);
      }
      const seats = played % 2 === 0 ? people : ([people[1], people[0]] as const);
      for (const person of people) person.isFree = false;
      const met = await world.lobby.meet(actor, seats, terms, "invitation");
      if (!met) break;
      await actor.sleep(draw.between(4_000, 30_000));
    }
    for (const person of people) await world.leave(actor, person);
  }
}

/** When the population begins: midnight in Lagos. */
export function toMidnight(at: Instant): Instant {
  const shift = LAGOS_HOURS * HOUR_MS;
  return (Math.ceil((at + shift) / DAY_MS) * DAY_MS - shift) as Instant;
}
