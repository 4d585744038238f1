import { DAY_MS, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import type { Stake } from "@holo/table/stakes.ts";
import type { Actor, Clock } from "./clock.ts";
import type { Draw } from "./draw.ts";
import { canPay, LAGOS_HOURS, sleepUntil, spendEvening, toBuyIn, toNaira } from "./honest.ts";
import type { Deal, Person, Terms } from "./lobby.ts";
import { drawTraits, type Traits } from "./people.ts";
import { planLoss, planThrown } from "./plan.ts";
import type { Dumping, Scheme } from "./schemes.ts";
import type { World } from "./world.ts";

/** Who takes part in a scheme, and what it was. */
export interface PlayedScheme {
  readonly id: number;
  readonly kind: string;
  readonly scheme: Scheme;
  readonly people: readonly Person[];
}

interface SchemeDeps {
  readonly world: World;
  readonly clock: Clock;
  readonly draw: Draw;
  readonly startAt: Instant;
  readonly addresses: readonly string[];
}

interface Cast {
  readonly sources: readonly Person[];
  readonly mules: readonly Person[];
}

const DEPOSIT_NAIRA_MAX = 1_000_000;
const STAKES: readonly Stake[] = [10, 5, 2, 1];
const HOURS_OF_PLAY = [17, 23] as const;
const TRIES_PER_GAME = 3;
/** Of someone who waits for opponents all evening; not each try finds one. */
const GAMES_AN_EVENING = 8;
const TRIES_AN_EVENING = 20;
const LEAST_NAIRA = 5_500;

/** Adds the accounts of a scheme, and lets them act from `startDay` on. */
export async function playScheme(
  deps: SchemeDeps,
  { id, kind, scheme, startDay }: { id: number; kind: string; scheme: Scheme; startDay: number },
): Promise<PlayedScheme> {
  const { world, clock, startAt, draw } = deps;
  const count = scheme.type === "dumping" ? scheme.sources + scheme.mules : 1;
  const traits = Array.from({ length: count }, (_, index) => drawMember(deps, scheme, `${id}-${index}`));
  const shared = scheme.type === "dumping" ? shareMeans(draw, traits, scheme) : traits;
  const names = shared.map((_, index) => `scheme-${id}-${index}`);
  const people = await world.addPeople(shared, names, draw);
  const beginAt = (startAt + startDay * DAY_MS) as Instant;
  const cast: Cast =
    scheme.type === "dumping"
      ? { sources: people.slice(0, scheme.sources), mules: people.slice(scheme.sources) }
      : { sources: people, mules: [] };
  clock.spawn(async (actor) => {
    if (scheme.type === "through") await passThrough(world, actor, people[0]!, scheme);
    else if (scheme.type === "engine") await playByEngine(world, actor, people[0]!, scheme);
    else await dump(deps, actor, cast, scheme);
  }, beginAt);
  return { id, kind, scheme, people };
}

function drawMember({ draw, addresses }: SchemeDeps, scheme: Scheme, name: string): Traits {
  const traits = drawTraits(draw, `scheme ${name}`, addresses);
  const ageDays = Math.max(0.05, scheme.ageDays * draw.between(0.6, 1));
  return { ...traits, isFarmer: false, friendShare: 0, ageDays };
}

/** Accounts that never meet share what they have: the server would not pair them (ruling 54). */
function shareMeans(
  draw: Draw,
  traits: readonly Traits[],
  { sources, sharedMeans, shape }: Dumping,
): readonly Traits[] {
  const [first, second] = [sources, sources + 1];
  return traits.map((one, index) => {
    if (index < sources || index === first || !draw.chance(sharedMeans)) return one;
    // Neighbours of a chain play each other.
    const other = traits[shape === "star" ? first : draw.chance(0.5) ? first : second] ?? one;
    return draw.weighted<Traits>([
      [{ ...one, device: other.device, address: other.address }, 4],
      [{ ...one, bankAccount: other.bankAccount }, 4],
      [{ ...one, card: other.card }, 2],
    ]);
  });
}

async function passThrough(
  world: World,
  actor: Actor,
  person: Person,
  { naira, waitHours }: Extract<Scheme, { readonly type: "through" }>,
): Promise<void> {
  await world.enter(actor, person);
  await depositAll(world, actor, person, naira, true);
  await actor.sleep(waitHours * HOUR_MS);
  await withdrawAll(world, actor, person);
  await world.leave(actor, person);
}

/** Wins against anyone who comes, and takes it out. */
async function playByEngine(
  world: World,
  actor: Actor,
  person: Person,
  { use, games, naira }: Extract<Scheme, { readonly type: "engine" }>,
): Promise<void> {
  const { draw } = person;
  person.cheats = (own) => {
    if (use === "critical") return "critical";
    return use === "always" || own.chance(0.45) ? "engine" : null;
  };
  const evenings = Math.ceil(games / GAMES_AN_EVENING);
  for (let evening = 0; evening < evenings; evening += 1) {
    const at = actor.now() + DAY_MS;
    await sleepUntil(actor, Math.floor(at / DAY_MS) * DAY_MS + (person.traits.hour - LAGOS_HOURS) * HOUR_MS);
    if (evening === 0) await world.deposit(person, Math.max(5_000, naira), person.traits.paysByCard);
    await spendEvening(world, actor, person, TRIES_AN_EVENING);
  }
  await actor.sleep(draw.between(25, 60) * HOUR_MS);
  await withdrawAll(world, actor, person);
}

async function dump(deps: SchemeDeps, actor: Actor, cast: Cast, scheme: Dumping): Promise<void> {
  const { world, clock, draw } = deps;
  const { sources, mules } = cast;
  const [beforeDays, afterDays] = scheme.waitDays;
  const honest = mules.map((mule) => clock.spawn((own) => warmUp(world, own, mule, scheme.honestGames), actor.now()));
  await actor.sleep(beforeDays * DAY_MS);
  for (const source of sources) {
    await world.enter(actor, source);
    await depositAll(world, actor, source, Math.max(LEAST_NAIRA, scheme.naira / sources.length), scheme.byCard);
  }
  const references = world.deposits.filter(({ person }) => sources.includes(person)).map(({ reference }) => reference);
  await actor.idle(Promise.all(honest));
  for (const mule of mules) await world.enter(actor, mule);

  const endAt = actor.now() + scheme.spreadDays * DAY_MS;
  for (const layer of toLayers(cast, scheme)) {
    const spreadMs = Math.max(0, endAt - actor.now());
    const playing = layer.map(([from, to], index) =>
      clock.spawn(
        (own) => moveCoins(world, own, from, to, scheme, spreadMs / 2),
        (actor.now() + 1_000 + index * 45_000) as Instant,
      ),
    );
    await actor.idle(Promise.all(playing));
  }
  for (const person of [...sources, ...mules]) await world.leave(actor, person);

  const settledAt = actor.now() + Math.max(1.02, afterDays) * DAY_MS;
  if (scheme.isDisputed && scheme.byCard) {
    const disputeAt = (actor.now() + scheme.disputeAfterDays * DAY_MS) as Instant;
    clock.spawn(async () => {
      for (const reference of references) await world.arena.dispute(reference);
    }, disputeAt);
  }
  for (const mule of draw.shuffle(mules)) {
    clock.spawn(
      async (own) => {
        await withdrawAll(world, own, mule);
        await own.sleep(draw.between(24, 40) * HOUR_MS);
        await withdrawAll(world, own, mule);
      },
      (settledAt + draw.between(0, 20) * HOUR_MS) as Instant,
    );
  }
}

type Edge = readonly [from: Person, to: Person];

/** Whose coins go to whom, step by step. */
function toLayers({ sources, mules }: Cast, { hops, shape }: Dumping): readonly (readonly Edge[])[] {
  const chains = Math.max(1, Math.floor(mules.length / hops));
  const layers: Edge[][] = [];
  for (let hop = 0; hop < hops; hop += 1) {
    const layer: Edge[] = [];
    for (let chain = 0; chain < chains; chain += 1) {
      const to = mules[chain * hops + hop]!;
      const from = hop === 0 ? sources[chain % sources.length]! : mules[chain * hops + hop - 1]!;
      layer.push([from, to]);
    }
    // More sources than chains: each has someone to lose to.
    if (hop === 0) for (const source of sources.slice(chains)) layer.push([source, mules[0]!]);
    layers.push(layer);
  }
  if (shape === "ring") layers.push([[mules[hops - 1]!, mules[0]!]]);
  return layers.map((layer) => layer.filter(([from, to]) => from !== to));
}

/** One loses to the other, as the scheme says. */
async function moveCoins(
  world: World,
  actor: Actor,
  from: Person,
  to: Person,
  scheme: Dumping,
  spreadMs: number,
): Promise<void> {
  const { draw } = from;
  const game = draw.pick(["checkers", "chess"] as const);
  for (let played = 0; played < scheme.gamesPerEdge; played += 1) {
    if (played > 0) await actor.sleep(Math.max(draw.between(10_000, 90_000), spreadMs / scheme.gamesPerEdge));
    await toHoursOfPlay(actor, draw);
    const isBack = played > 0 && draw.chance(scheme.winBacks);
    const { balance } = await world.arena.loadFunds(from.account);
    const terms = toTerms(game, balance, scheme.gamesPerEdge - played, isBack);
    if (terms === null) return;
    for (const person of [from, to]) {
      if (await canPay(world, person, terms)) continue;
      if (person === from) return;
      // A mule needs a stake of its own.
      await world.deposit(
        to,
        Math.max(5_000, Math.ceil(toNaira(toBuyIn(terms)) / 1_000 + 1) * 1_000),
        to.traits.paysByCard,
      );
    }
    const loser = isBack ? to : from;
    for (let attempt = 0; attempt < TRIES_PER_GAME; attempt += 1) {
      while (from.isPlaying || to.isPlaying) await actor.sleep(30_000);
      const seats = draw.chance(0.5) ? ([from, to] as const) : ([to, from] as const);
      agree(world, draw, from, to, loser, scheme);
      const met = await world.lobby.meet(actor, seats, terms, scheme.pairing);
      const isDone = from.deal === null;
      from.deal = null;
      if (isDone) break;
      if (!met) await actor.sleep(60_000);
    }
  }
}

/** What the two have agreed on for the next game that they meet in. */
function agree(world: World, draw: Draw, from: Person, to: Person, loser: Person, scheme: Dumping): void {
  const plan: Deal["plan"] = async ({ game }, [white, black]) => {
    from.deal = null;
    const seat = loser === white ? 1 : 2;
    const skills = [white.traits.skill, black.traits.skill] as const;
    if (!draw.chance(scheme.thrown)) {
      // Plays so badly that the game is lost.
      const bad = seat === 1 ? ([0, skills[1]] as const) : ([skills[0], 0] as const);
      return await planLoss(world.library, draw, { game, skills: bad }, seat);
    }
    const end = draw.chance(0.85) ? "resign" : "flag";
    const plies = Math.max(6, scheme.plies + draw.whole(-3, 3));
    return await planThrown(world.library, draw, { game, skills }, seat, plies, end);
  };
  from.deal = { with: to, plan };
}

/** The stake that moves what is there in the games that are left. */
function toTerms(game: Terms["game"], balance: bigint, gamesLeft: number, isSmall: boolean): Terms | null {
  const payable = STAKES.filter((stake) => toBuyIn({ game, stake }) <= balance);
  if (payable.length === 0) return null;
  const limitMinutes = 5;
  if (isSmall) return { game, stake: payable.at(-1)!, limitMinutes };
  const enough = payable.filter((stake) => toBuyIn({ game, stake }) * BigInt(gamesLeft) >= balance);
  return { game, stake: enough.at(-1) ?? payable[0]!, limitMinutes };
}

async function toHoursOfPlay(actor: Actor, draw: Draw): Promise<void> {
  const hour = ((actor.now() / HOUR_MS) % 24) + 1;
  const [from, to] = HOURS_OF_PLAY;
  if (hour >= from && hour < to) return;
  await actor.sleep(((from - hour + 24) % 24) * HOUR_MS + draw.between(0, 5) * HOUR_MS);
}

/** Games of a mule with anyone, so that it looks like everyone. */
async function warmUp(world: World, actor: Actor, mule: Person, games: number): Promise<void> {
  for (let left = games; left > 0; left -= 8) {
    const at = Math.floor(actor.now() / DAY_MS) * DAY_MS + (mule.traits.hour - LAGOS_HOURS) * HOUR_MS;
    await sleepUntil(actor, at > actor.now() ? at : at + DAY_MS);
    await spendEvening(world, actor, mule, Math.min(8, left));
  }
}

async function depositAll(world: World, actor: Actor, person: Person, naira: number, byCard: boolean): Promise<void> {
  for (let left = naira; left >= 5_000; left -= DEPOSIT_NAIRA_MAX) {
    await world.deposit(person, Math.floor(Math.min(left, DEPOSIT_NAIRA_MAX) / 100) * 100, byCard);
    await actor.sleep(90_000);
  }
}

async function withdrawAll(world: World, actor: Actor, person: Person): Promise<void> {
  const { withdrawable } = await world.arena.loadFunds(person.account);
  const naira = Math.floor(toNaira(withdrawable) / 100) * 100 - 200;
  if (naira >= LEAST_NAIRA) await world.withdraw(person, naira);
  await actor.sleep(60_000);
}
