import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { Log } from "../../platform/log.ts";
import type { Links } from "../../platform/servers/links.ts";
import { startRepeatedTask } from "../../platform/time/repeated-task.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";

/** What a server measures of itself alone. Null: unknown. */
export interface OwnFigures {
  readonly connections: number | null;
  readonly memoryBytes: number | null;
  readonly movesPerSecond: number;
  readonly moveP99Ms: number | null;
}

interface ServerFigures {
  /** The sums of all servers in contact; of times the longest. */
  load(): Promise<OwnFigures & { readonly servers: number }>;
  stop(): void;
}

interface ServerFiguresDeps {
  /** Null: there is no other server. */
  readonly links: Pick<Links, "isConnected" | "broadcast" | "onMessage"> | null;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly log: Log;
  readonly measure: () => Promise<OwnFigures>;
}

const TOPIC = "figures";
const SEND_EVERY_MS = 5 * SECOND_MS;
/** Two messages may be lost. */
const KEPT_MS = 3 * SEND_EVERY_MS;

/** Servers send each other their figures, so that each can show those of all. */
export function openServerFigures({ links, time, wheel, log, measure }: ServerFiguresDeps): ServerFigures {
  const others = new Map<string, { readonly figures: OwnFigures; readonly atMs: number }>();
  links?.onMessage(TOPIC, (figures: OwnFigures, from) => {
    others.set(from, { figures, atMs: time.monotonicMs() });
  });

  async function send(): Promise<void> {
    if (links?.isConnected) links.broadcast(TOPIC, await measure());
  }

  function findOthers(): readonly OwnFigures[] {
    for (const [sender, { atMs }] of others) if (time.monotonicMs() - atMs > KEPT_MS) others.delete(sender);
    return [...others.values()].map(({ figures }) => figures);
  }

  const failure = "the figures for the other servers could not be measured";
  const stop =
    links === null
      ? () => undefined
      : startRepeatedTask({ time, wheel, log, everyMs: SEND_EVERY_MS, failure, run: send });

  return {
    async load() {
      const all = [await measure(), ...findOthers()];
      return {
        servers: all.length,
        connections: sum(all.map(({ connections }) => connections)),
        memoryBytes: sum(all.map(({ memoryBytes }) => memoryBytes)),
        movesPerSecond: sum(all.map(({ movesPerSecond }) => movesPerSecond)) ?? 0,
        moveP99Ms: all.reduce<number | null>((most, { moveP99Ms }) => toLarger(most, moveP99Ms), null),
      };
    },
    stop,
  };
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

function toLarger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
