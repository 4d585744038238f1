import type { PlayerId } from "@holo/kernel/ids.ts";
import { loadFlows } from "../../apps/server/src/fairplay/signals/load-flows.ts";
import { weighFlow } from "../../apps/server/src/fairplay/signals/weigh.ts";
import { type Arena, RATE_KOBO } from "./arena.ts";

/** What the signals say about coins of one source, below the thresholds too. */
export interface FlowReading {
  readonly depositIds: readonly bigint[];
  readonly coins: number;
  readonly bits: number;
  readonly decision: "hold" | "list" | null;
  readonly signals: string;
}

/** For explanations: what is held is what the server decides. */
export async function readFlows({ database, time }: Arena, playerId: PlayerId): Promise<readonly FlowReading[]> {
  const loaded = await loadFlows(database.kysely, { playerId, now: time.now(), rateKobo: RATE_KOBO });
  return (loaded?.flows ?? []).map(({ source, facts }) => {
    const { signals, bits, decision } = weighFlow(facts, 0);
    return {
      depositIds: source.pieces.map(({ depositId }) => depositId),
      coins: source.pieces.reduce((sum, { coins }) => sum + coins, 0),
      bits,
      decision,
      signals: signals
        .map((signal) => `${signal.name} ${round(signal.bits)} ${formatFigures(signal.figures)}`)
        .join("; "),
    };
  });
}

export function describeFlow({ coins, bits, decision, signals }: FlowReading): string {
  const naira = Math.round((coins * RATE_KOBO) / 100_000_000);
  return `₦${naira} ${decision ?? "pay"} at ${round(bits)} bits: ${signals}`;
}

const round = (value: number): number => Math.round(value * 100) / 100;

function formatFigures(figures: Readonly<Record<string, number>>): string {
  const shown = Object.entries(figures).map(([name, value]) => `${name}=${round(value)}`);
  return `(${shown.join(" ")})`;
}
