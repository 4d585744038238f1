import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import type { ClusterMember, Signal } from "../finding.ts";
import type { ActType, CaseKind, CaseState } from "./decide-case.ts";

/** Coins that one player lost to another on the way to the case's player, as of its opening. */
export interface FlowEdge {
  readonly from: PlayerId;
  readonly to: PlayerId;
  readonly coins: Coins;
  readonly games: number;
  readonly lastAt: Instant;
}

/** What the signals said, without what has columns of its own. */
export interface CaseFinding {
  readonly flows: readonly {
    readonly kind: "flow" | "engine";
    readonly decision: "hold" | "list";
    readonly coins: Coins;
    readonly bits: number;
    readonly sourceIds: readonly PlayerId[];
    readonly signals: readonly Signal[];
  }[];
  readonly edges: readonly FlowEdge[];
  readonly cluster: readonly ClusterMember[];
  readonly version: number;
}

export interface FairPlayCase {
  readonly id: string;
  readonly playerId: PlayerId;
  readonly kind: CaseKind;
  readonly state: CaseState;
  readonly openedAt: Instant;
  /** Up to when its coins are held; null: it holds none. */
  readonly untilAt: Instant | null;
  readonly endedAt: Instant | null;
  /** Suspected at its opening. */
  readonly coins: Coins;
  /** The origins' pieces. */
  readonly depositIds: readonly bigint[];
  readonly gameIds: readonly GameId[];
  /** The disputed deposit. */
  readonly paymentId: PaymentId | null;
  /** Everyone whom it is about. */
  readonly concerned: readonly PlayerId[];
  readonly finding: CaseFinding;
}

/** What was paid to whom, or would be. */
export interface Gift {
  readonly playerId: PlayerId;
  readonly coins: Coins;
}

export interface CaseAct {
  readonly id: bigint;
  readonly caseId: string;
  readonly type: ActType;
  /** Null: the server itself. */
  readonly byId: PlayerId | null;
  /** A proposal of a member who has left the staff. */
  readonly isLapsed: boolean;
  readonly at: Instant;
  readonly text: string | null;
  readonly given: readonly Gift[];
  /** Of an answered appeal. */
  readonly isAccepted: boolean | null;
}

export type NewAct = Pick<CaseAct, "type" | "byId" | "at"> &
  Partial<Pick<CaseAct, "text" | "given" | "isAccepted">> & { readonly auditEventId?: bigint };
