import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { type CoinShare, loadSpread, loadWonCoins } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadClearedGames } from "../cases/case-store.ts";
import { type AccountLink, findStrength, loadClusters } from "../clusters.ts";
import { AIMED_SHARE_FROM } from "./captivity.ts";
import type { FlowFacts, MoneyFacts, PlayedGame } from "./facts.ts";
import { Grouping } from "./grouping.ts";
import { loadYoungest } from "./load-ages.ts";
import { loadGamesOfPairs, loadNewestGames, loadSeeks } from "./load-games.ts";
import { type HeldPiece, loadHolding } from "./load-holding.ts";
import { toMoneyFacts } from "./money-facts.ts";
import { type Step, toEdge, toEncounters, toWay, type Way } from "./play-facts.ts";
import { type Source, toSources } from "./sources.ts";

/** Facts about the coins that a player has of one source. */
export interface Flow {
  readonly source: Source;
  readonly way: Way;
  readonly facts: FlowFacts;
}

export interface Flows {
  readonly flows: readonly Flow[];
  readonly holding: readonly HeldPiece[];
  /** The player's newest games. */
  readonly games: readonly PlayedGame[];
  readonly links: readonly AccountLink[];
  readonly members: readonly PlayerId[];
}

interface FlowsQuery {
  readonly playerId: PlayerId;
  readonly now: Instant;
  readonly rateKobo: number;
}

/** Less than ₦1,000 is not worth it. A small part of what one won matters from ₦20,000 on. */
const KOBO = { least: 100_000, large: 2_000_000 };
const LATELY_MS = 7 * DAY_MS;
/** More winners than these are never all captive, nor those who have hardly any. */
const HOLDERS = { max: 13, part: 0.02 };
const DEPOSITORS_MAX = 4;
/** Who has a cluster looked up beside the player: the largest. */
const CLUSTERS_MAX = 12;
const PAIRS_MAX = 60;

/** All that the signals need about the won coins of a player; null without any that matter. */
export async function loadFlows(queries: Queries, { playerId, now, rateKobo }: FlowsQuery): Promise<Flows | null> {
  const toMicro = (kobo: number) => (kobo * 1_000_000) / rateKobo;
  const holding = await loadHolding(queries, playerId, now);
  if (holding.reduce((sum, { coins }) => sum + coins, 0) < toMicro(KOBO.least)) return null;
  const near = await loadClusters(queries, [playerId, ...listLargest(holding)], now);
  const own = near.members.get(playerId) ?? [playerId];
  const wonByOwn = await loadWonCoins(queries, own);
  const nearby = new Grouping([own, ...near.members.values()]);
  const likely = toSources(holding, wonByOwn, nearby, toMicro(KOBO.large));
  if (likely.length === 0) {
    return { flows: [], holding, games: await loadNewestGames(queries, [playerId]), links: near.links, members: own };
  }
  // Where the rest of the deposits is matters only if the player has much of them.
  const fed = likely.filter(({ share }) => share >= AIMED_SHARE_FROM);
  const depositIds = [...new Set(fed.flatMap(({ pieces }) => pieces.map(({ depositId }) => depositId)))];
  const spread = depositIds.length === 0 ? [] : await loadSpread(queries, depositIds, addMs(now, -LATELY_MS));
  const holders = listHolders(spread, own);
  const onWay = listOnWay(likely);
  const asked = [...new Set([playerId, ...listLargest(holding), ...onWay, ...holders])].slice(0, CLUSTERS_MAX);
  const [{ links, members }, wonByOthers] = await Promise.all([
    asked.every((id) => near.members.has(id)) ? near : loadClusters(queries, asked, now),
    holders.length === 0 ? [] : loadWonCoins(queries, holders),
  ]);
  const groups = new Grouping([members.get(playerId) ?? [playerId], ...members.values()]);
  const won = [...wonByOwn, ...wonByOthers];
  const sources = toSources(holding, wonByOwn, groups, toMicro(KOBO.large));
  const ways = sources.map((source) => toWay(source, playerId, groups));
  const monies = sources.map((source) => toMoneyFacts(source, { playerId, groups, won, spread, rateKobo }));
  const steps = ways.flatMap(({ all }, index) => [...all, ...toStar(sources[index]!, monies[index]!)]);
  const [played, newest, youngest] = await Promise.all([
    loadGamesOfPairs(queries, toPairs(steps, groups)),
    loadNewestGames(queries, [
      ...new Set([...groups.membersOf(playerId), ...steps.flatMap(([id]) => groups.membersOf(id))]),
    ]),
    loadYoungest(queries, [...new Set([playerId, ...sources.flatMap(({ depositorIds }) => depositorIds)])]),
  ]);
  const cleared = await loadClearedGames(
    queries,
    played.map(({ gameId }) => gameId),
  );
  const between = played.filter(({ gameId }) => !cleared.has(gameId));
  const flows = await Promise.all(
    sources.map(async (source, index): Promise<Flow> => {
      const way = ways[index]!;
      const money = monies[index]!;
      const loaded = { groups, between, newest, inside: toInside(way, source, money, groups.keyOf(playerId)) };
      const last = toEdge(way.last, loaded);
      const gainedAt = Math.max(...source.pieces.map((piece) => piece.gainedAt));
      const toDays = (id: PlayerId) => Math.max(0, gainedAt - (youngest.get(id) ?? 0)) / DAY_MS;
      return {
        source,
        way,
        facts: {
          money,
          last,
          way: toEdge([...way.all, ...toStar(source, money)], loaded),
          encounters: toEncounters(way.last, loaded),
          seeks: [],
          means: toMeans(source, playerId, { links, groups, isDetour: way.detour >= 0.5 }),
          age: {
            sourceDays: Math.min(...source.depositorIds.map(toDays)),
            playerDays: toDays(playerId),
          },
        },
      };
    }),
  );
  const games = newest.filter((game) => game.playerId === playerId);
  return { flows, holding, games, links, members: groups.membersOf(playerId) };
}

/** To everyone who lives on the source: what it throws to one mule it throws to the others. */
function toStar({ keys }: Source, { captiveKeys }: MoneyFacts): readonly Step[] {
  return [...keys].flatMap((source) =>
    [...captiveKeys].filter((key) => key !== source).map((key): Step => [source, key]),
  );
}

/** Whose games with each other are not "elsewhere". */
function toInside(way: Way, { keys }: Source, { captiveKeys }: MoneyFacts, own: PlayerId): ReadonlySet<PlayerId> {
  return new Set([own, ...keys, ...captiveKeys, ...way.last.map(([loser]) => loser)]);
}

function listLargest(holding: readonly HeldPiece[]): readonly PlayerId[] {
  const byDepositor = Map.groupBy(holding, ({ depositorId }) => depositorId);
  const sum = (pieces: readonly HeldPiece[]) => pieces.reduce((total, { coins }) => total + coins, 0);
  return [...byDepositor]
    .toSorted(([, one], [, other]) => sum(other) - sum(one))
    .slice(0, DEPOSITORS_MAX)
    .map(([id]) => id);
}

/** The largest come first. */
function listHolders(spread: readonly CoinShare[], own: readonly PlayerId[]): readonly PlayerId[] {
  const others = spread.filter(({ playerId, depositorId }) => playerId !== depositorId && !own.includes(playerId));
  const sum = (of: readonly CoinShare[]) => of.reduce((total, { held, paid }) => total + Number(held + paid), 0);
  const least = sum(spread.filter(({ playerId, depositorId }) => playerId !== depositorId)) * HOLDERS.part;
  return [...Map.groupBy(others, ({ playerId }) => playerId)]
    .map(([id, of]) => ({ id, coins: sum(of) }))
    .filter(({ coins }) => coins >= least)
    .toSorted((one, other) => other.coins - one.coins)
    .slice(0, HOLDERS.max)
    .map(({ id }) => id);
}

function listOnWay(sources: readonly Source[]): readonly PlayerId[] {
  return [...new Set(sources.flatMap(({ pieces }) => pieces.flatMap(({ path }) => path.map((step) => step.playerId))))];
}

function toPairs(steps: readonly Step[], groups: Grouping): readonly Step[] {
  const pairs = steps.flatMap(([loser, winner]) =>
    groups.membersOf(loser).flatMap((one) => groups.membersOf(winner).map((other): Step => [one, other])),
  );
  return [...new Map(pairs.map((pair) => [pair.join(), pair])).values()].slice(0, PAIRS_MAX);
}

/** The flow with the players' matchmaking: it is read only where it may decide. */
export async function addSeeks(queries: Queries, flow: Flow, playerIds: readonly PlayerId[]): Promise<Flow> {
  const { games } = flow.facts.last;
  const seeks = await loadSeeksOf(queries, games, playerIds);
  return { ...flow, facts: { ...flow.facts, seeks } };
}

async function loadSeeksOf(queries: Queries, games: readonly PlayedGame[], playerIds: readonly PlayerId[]) {
  const met = games.filter(({ pairing }) => pairing === "matchmaking");
  if (met.length < 2) return [];
  const times = met.map(({ at }) => at);
  // A game ends up to hours after it was created.
  const from = addMs(Math.min(...times) as Instant, -DAY_MS);
  const sourceIds = [...new Set(games.map((game) => game.playerId))];
  return await loadSeeks(queries, { playerIds, sourceIds, from, to: Math.max(...times) as Instant });
}

interface Joined {
  readonly links: readonly AccountLink[];
  readonly groups: Grouping;
  readonly isDetour: boolean;
}

function toMeans(
  { depositorIds }: Source,
  playerId: PlayerId,
  { links, groups, isDetour }: Joined,
): FlowFacts["means"] {
  const sources = new Set(depositorIds.flatMap((id) => groups.membersOf(id)));
  const payees = groups.membersOf(playerId);
  const pairs = [...sources].flatMap((one) => payees.filter((id) => id !== one).map((other) => [one, other] as const));
  const joined = links.filter(({ playerIds: [a, b] }) =>
    pairs.some(([x, y]) => (x === a && y === b) || (x === b && y === a)),
  );
  return {
    strength: Math.max(0, ...pairs.map(([one, other]) => findStrength(links, one, other))),
    kinds: new Set(joined.flatMap(({ kinds }) => [...kinds])),
    isDetour,
  };
}
