import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { TraceKind } from "../accounts/accounts.ts";

/** Hold: three bits or more from two of `money`, `play`, `meeting` and `means`. */
export type SignalClass = "money" | "play" | "meeting" | "means" | "age" | "engine";

/** What one rule found, with all that a person needs to check it. */
export interface Signal {
  readonly name: string;
  /** Of the rule: another version weighs otherwise. */
  readonly version: number;
  readonly class: SignalClass;
  /** How much likelier among cheats, as a power of two; 0 for what is only shown. */
  readonly bits: number;
  readonly figures: Readonly<Record<string, number>>;
  /** What the rule's main figure has to reach. */
  readonly threshold: number;
}

/** Coins of one origin that a player won in a game; null: the game is not known. */
interface WonCoins {
  /** The origin's piece. */
  readonly depositId: bigint;
  readonly gameId: GameId | null;
  /** In micro-holocoins. */
  readonly coins: number;
}

/** Coins in a player's wallet that stem from one depositor and those joined with them. */
export interface FlowFinding {
  /** `engine`: coins won by play that looks like a program's. */
  readonly kind: "flow" | "engine";
  /** Depositors. */
  readonly sourceIds: readonly PlayerId[];
  /** Everyone on the way, from the depositors to the player. */
  readonly playerIds: readonly PlayerId[];
  readonly won: readonly WonCoins[];
  readonly signals: readonly Signal[];
  /** Of all signals, each class up to its cap. */
  readonly bits: number;
  /** Games that the coins were won in, and others that are evidence. */
  readonly gameIds: readonly GameId[];
  readonly decision: "hold" | "list";
}

export interface ClusterMember {
  readonly playerId: PlayerId;
  readonly strength: number;
  readonly kinds: readonly TraceKind[];
}

/** What is suspicious about the coins in a wallet. Never a proof: people decide (ruling 44). */
export interface Finding {
  readonly playerId: PlayerId;
  /** Held ones first, then the largest; no coins in two. */
  readonly flows: readonly FlowFinding[];
  /** Accounts joined with the player, as they were at this moment. */
  readonly cluster: readonly ClusterMember[];
  readonly version: number;
}
