import type { Random } from "@holo/kernel/random.ts";
import type { Installation } from "../installation.ts";
import type { FaultRecord } from "../judge/evidence.ts";
import type { Network } from "../network.ts";
import type { Provider } from "../payment-play.ts";
import type { Robot } from "../robot.ts";

export interface FaultTargets {
  readonly installation: Installation;
  /** The server that a fault of one server hits. */
  readonly victim: number;
  readonly random: Random;
  /** Null: no one pays. */
  readonly provider: Provider | null;
  readonly networks: readonly Network[];
  readonly robots: readonly Robot[];
  readonly record: FaultRecord;
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
