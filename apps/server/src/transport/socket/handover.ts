import type { Games } from "../../game/game.ts";
import { sleep } from "../../platform/runtime.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Broadcast } from "./broadcast.ts";
import type { Connection } from "./connection.ts";

interface Handover {
  readonly broadcast: Pick<Broadcast, "all">;
  readonly games: Pick<Games, "handOver">;
  readonly time: Time;
  /** Whether another server can take players. */
  readonly canHandOver: () => boolean;
}

/** Five seconds. With two, players waited four seconds at a server that had just started. */
const SLICES = 50;
const SLICE_EVERY_MS = 100;
const SLICE_SIZE_MIN = 10;
/** After that the rest is closed at once, and its pages wait for up to 1.5 s. */
const HANDOVER_MS_MAX = 6_000;

/** Tells the pages to reconnect at once, some at a time, so that none waits for the others. */
export async function handOverAll({ broadcast, games, time, canHandOver }: Handover): Promise<void> {
  const startedMs = time.monotonicMs();
  let dueMs = startedMs;
  for (const slice of toSlices(broadcast.all())) {
    dueMs += SLICE_EVERY_MS;
    // First, so that a server which stops at the same moment can say so.
    await sleep(Math.max(0, dueMs - time.monotonicMs()));
    if (!canHandOver() || time.monotonicMs() - startedMs > HANDOVER_MS_MAX) return;
    await games.handOver(new Set(slice.flatMap(({ player }) => (player === null ? [] : [player.id]))));
    for (const connection of slice) connection.reconnect(SLICE_EVERY_MS);
  }
}

/** All connections of a player are in one slice, and the players of a game in most cases. */
function toSlices(all: ReadonlySet<Connection>): readonly (readonly Connection[])[] {
  const groups = [...Map.groupBy(all, (connection) => connection.player?.id ?? connection).values()];
  const toGame = (group: readonly Connection[]): string => group.flatMap(({ watched }) => [...watched])[0] ?? "";
  const byGame = groups.map((group) => ({ group, game: toGame(group) })).sort((a, b) => (a.game < b.game ? -1 : 1));
  const size = Math.max(SLICE_SIZE_MIN, Math.ceil(all.size / SLICES));
  const slices: Connection[][] = [];
  let lastGame = "";
  for (const { group, game } of byGame) {
    const last = slices.at(-1);
    // A table with many watchers is divided all the same.
    const isFull = last !== undefined && last.length >= (game === lastGame ? 2 * size : size);
    if (last === undefined || isFull) slices.push([...group]);
    else last.push(...group);
    lastGame = game;
  }
  return slices;
}
