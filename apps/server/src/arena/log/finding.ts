import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";

/** What `lifecycle_findings` found against a job. TypeScript judges it. */
export type Finding =
  /** Another record has this version, or the record before it differs. */
  | { readonly type: "stale" }
  | PersonFinding
  | { readonly type: "never_paired" }
  | { readonly type: "session_ended"; readonly player: PlayerId }
  | { readonly type: "waiting"; readonly gameId: GameId };

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
  /** When games ended that the player cancelled or missed, if any recently. */
  readonly missed?: readonly Instant[];
  readonly command?: SeatCommand;
  readonly open_game?: { readonly gameId: GameId; readonly status: "waiting" | "active" };
  readonly have?: string;
}

export interface SeatCommand {
  readonly content: string;
  readonly gameId: GameId;
}
