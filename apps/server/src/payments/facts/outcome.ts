import type { Instant } from "@holo/kernel/instant.ts";
import type { JournalEntry, toDepositPosition } from "../../ledger/ledger.ts";
import type { Standing } from "../core/standing.ts";

/** What follows from a payment's state outside of its facts. */
export interface Outcome {
  readonly standing: Standing;
  readonly nextAskAt: Instant | null;
  /** Of its row. */
  readonly columns: Readonly<Record<string, string | bigint | number | boolean | null>>;
  readonly isDeposit: boolean;
  readonly isOver: boolean;
  readonly position: ReturnType<typeof toDepositPosition>;
  readonly details: JournalEntry["details"];
  /** The provider's fee, to be booked once. */
  readonly feeKobo: bigint | null;
  /** Whether it restricts its player, before and now (ruling 33). */
  readonly isHolding: readonly [boolean, boolean];
  /** Whether the coins that stem from it are to be marked, before and now (ruling 52). */
  readonly isContested: readonly [boolean, boolean];
  /** A refund that is to be ordered once this is committed; null for none. */
  readonly refundKobo: bigint | null;
}
