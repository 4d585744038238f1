import type { PlayerId } from "@holo/kernel/ids.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Edge, Encounter, PlayedGame } from "./facts.ts";
import type { Grouping } from "./grouping.ts";
import type { HeldPiece } from "./load-holding.ts";
import type { Source } from "./sources.ts";
import { toStrength } from "./strength.ts";

/** A loser and a winner of coins on their way. */
export type Step = readonly [PlayerId, PlayerId];

/** The ways of a source's coins, in clusters. */
export interface Way {
  /** Into the player's cluster. */
  readonly last: readonly Step[];
  readonly all: readonly Step[];
  /** Everyone on it, one account of each cluster. */
  readonly keys: ReadonlySet<PlayerId>;
  /** The part of the coins that came over someone in neither cluster. */
  readonly detour: number;
}

export function toWay({ pieces, keys }: Source, playerId: PlayerId, groups: Grouping): Way {
  const own = groups.keyOf(playerId);
  const last = new Map<string, Step>();
  const all = new Map<string, Step>();
  const onWay = new Set([own, ...keys]);
  let [coins, over] = [0, 0];
  for (const piece of pieces) {
    const steps = toSteps(piece, groups);
    const into = steps.find(([, winner]) => winner === own) ?? steps[0];
    if (into !== undefined) last.set(into.join(), into);
    for (const step of steps) all.set(step.join(), step);
    const between = steps.flat().filter((key) => key !== own && !keys.has(key));
    for (const key of between) onWay.add(key);
    if (piece.path.length > 0) coins += piece.coins;
    if (between.length > 0) over += piece.coins;
  }
  return { last: [...last.values()], all: [...all.values()], keys: onWay, detour: over / Math.max(1, coins) };
}

/** Of a chain; what strangers lost to each other long before says nothing. */
const STEPS_MAX = 4;

function toSteps({ path }: HeldPiece, groups: Grouping): readonly Step[] {
  return path.slice(0, STEPS_MAX + 1).flatMap(({ kind, playerId }, index): Step[] => {
    const before = path[index + 1];
    if (kind !== "win" || before === undefined) return [];
    const step = [groups.keyOf(before.playerId), groups.keyOf(playerId)] as const;
    return step[0] === step[1] ? [] : [step];
  });
}

interface LoadedGames {
  readonly groups: Grouping;
  /** Games along all steps, as the losers of the coins saw them. */
  readonly between: readonly PlayedGame[];
  /** The newest games of all losers and of the player's cluster. */
  readonly newest: readonly PlayedGame[];
  /** Clusters that have a part in the flow. */
  readonly inside: ReadonlySet<PlayerId>;
}

export function toEdge(steps: readonly Step[], { groups, between, newest, inside }: LoadedGames): Edge {
  const pairs = new Set(steps.map((step) => step.join()));
  const losers = new Set(steps.map(([loser]) => loser));
  return {
    games: between.filter((game) => pairs.has(toStep(game, groups).join())),
    elsewhere: newest.filter(
      (game) =>
        losers.has(groups.keyOf(game.playerId)) &&
        !inside.has(groups.keyOf(game.opponentId)) &&
        !pairs.has(toStep(game, groups).join()),
    ),
  };
}

/** Who met on these steps, with their strengths as games against all others show them. */
export function toEncounters(steps: readonly Step[], loaded: LoadedGames): readonly Encounter[] {
  const { groups, newest, inside } = loaded;
  const outside = newest.filter((game) => !inside.has(groups.keyOf(game.opponentId)));
  const toStrengthOf = (playerId: PlayerId, game: GameType) =>
    toStrength(outside.filter((played) => played.playerId === playerId && played.game === game));
  const { games } = toEdge(steps, loaded);
  return [...Map.groupBy(games, ({ playerId, opponentId, game }) => `${playerId} ${opponentId} ${game}`).values()].map(
    (met) => ({
      loser: toStrengthOf(met[0]!.playerId, met[0]!.game),
      winner: toStrengthOf(met[0]!.opponentId, met[0]!.game),
      won: met.filter(({ score }) => score === 0).length,
      lost: met.filter(({ score }) => score === 1).length,
    }),
  );
}

function toStep({ playerId, opponentId }: PlayedGame, groups: Grouping): Step {
  return [groups.keyOf(playerId), groups.keyOf(opponentId)];
}
