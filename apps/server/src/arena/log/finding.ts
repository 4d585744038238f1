import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";

/** What `lifecycle_findings` found against a job. Rulings on them are in TypeScript. */
export type Finding =
  /** Another record has this version. */
  | { readonly type: "stale" }
  | PersonFinding
  | { readonly type: "never_paired" }
  | { readonly type: "session_ended"; readonly player: PlayerId }
  /** A game that waits on the seeker's terms. */
  | { readonly type: "waiting"; readonly gameId: GameId };

/** What is known of a player. Everything else about them is clear. */
export interface PersonFinding {
  readonly type: "person";
  readonly player: PlayerId;
  readonly role: "seat" | "creator" | "payee";
  readonly banned?: true;
  readonly closing?: true;
  readonly excluded_until?: Instant;
  readonly disputed?: true;
  /** In micro-holocoins. */
  readonly debt?: string;
  readonly maintenance?: true;
  readonly stake_limit?: { readonly value: number; readonly nextValue?: number; readonly nextAt?: Instant };
  /** When games ended that the player cancelled or missed, if any lately. */
  readonly missed?: readonly Instant[];
  /** The command was carried out before. */
  readonly command?: SeatCommand;
  readonly open_game?: { readonly gameId: GameId; readonly status: "waiting" | "active" };
  /** The balance, if it is below the buy-in. */
  readonly have?: string;
}

export interface SeatCommand {
  readonly content: string;
  readonly gameId: GameId;
}
