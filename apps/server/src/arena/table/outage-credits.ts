import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { NO_DELIVERY, type Outage, type ServiceLoss } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { isOpen, type TableState } from "@holo/table/state.ts";
import { type Served, type StoredOutage, toOutage } from "./outage-store.ts";

/** What the table actor lends to its credits. */
interface CreditedTable {
  readonly gameId: GameId;
  readonly state: () => TableState<unknown>;
  /** Whether the game may be in the memory of several servers. */
  readonly isShared: () => boolean;
  readonly isMoverElsewhere: () => boolean;
  /** Since when the seat's player watches on this server; null if they do not. */
  readonly hereSinceAt: (seat: Seat) => Instant | null;
  readonly enqueue: (command: TableCommand) => void;
}

/** Decides which outages one game is credited for, and by which server (rulings 16 and 30). */
export class OutageCredits {
  readonly #table: CreditedTable;
  /** Outages that this server measured, whose credit it left to the mover's server. */
  #leftToMover: StoredOutage[] = [];

  constructor(table: CreditedTable) {
    this.#table = table;
  }

  get #isOpen(): boolean {
    return isOpen(this.#table.state().status);
  }

  /** An outage that this server measured has just ended. */
  creditOwn(outage: StoredOutage): void {
    if (outage.cause === "restart") return this.creditUnmeasured(outage);
    const isConcerned = outage.served === null || outage.served.has(this.#table.gameId);
    if (!this.#isOpen || !isConcerned) return;
    if (!this.#table.isMoverElsewhere()) return this.#creditMeasured(outage, []);
    // The mover's server credits once it reads the outage, unless it stores their move before.
    if (outage.cause === "database") this.#leftToMover.push(outage);
  }

  /** Another server has stored an outage. Each server measures a silent database itself. */
  creditStored(outage: StoredOutage): void {
    if (outage.cause === "restart" || outage.serverId === null) return this.creditUnmeasured(outage);
    if (outage.cause !== "database" || !this.#isOpen || this.#table.isMoverElsewhere()) return;
    if (!outage.served?.has(this.#table.gameId)) return;
    this.#creditUnlessKnown(outage, this.#toLosses(outage, outage.served));
  }

  /** The table was not in memory during the outage, or another server measured it. */
  creditUnmeasured(stored: StoredOutage): void {
    if (!this.#isOpen) return;
    const { gameId, state, isShared, enqueue } = this.#table;
    const outage = toOutage(stored);
    if (stored.served === null && (stored.serverId === null || !isShared())) {
      if (state().changedAt >= outage.toAt) return;
      return enqueue({ type: "credit", outage, ...(isShared() && { isShared: true }) });
    }
    // The game may have gone on before this server knew of the outage.
    if (stored.served === null ? this.#isPast(outage) : !stored.served.has(gameId)) return;
    enqueue({ type: "credit", outage, losses: this.#toLosses(outage, stored.served), isShared: true });
  }

  /** Once the player of this server is to move, the other server credits nothing any more. */
  creditLeft(): void {
    if (this.#leftToMover.length === 0 || this.#table.isMoverElsewhere()) return;
    const left = this.#leftToMover;
    this.#leftToMover = [];
    for (const outage of left) this.#creditUnlessKnown(outage, []);
  }

  /** `losses`: what another server's outage took, beside what this one measured. */
  #creditMeasured(outage: StoredOutage, losses: readonly ServiceLoss[]): void {
    const shared = this.#table.isShared() ? { isShared: true, losses } : {};
    this.#table.enqueue({ type: "credit", outage: toOutage(outage), delivery: NO_DELIVERY, ...shared });
  }

  #creditUnlessKnown(outage: StoredOutage, losses: readonly ServiceLoss[]): void {
    const { creditedTo } = this.#table.state().clock;
    if (creditedTo === null || creditedTo <= outage.fromAt) this.#creditMeasured(outage, losses);
  }

  /** Most stored outages ended before the game began, or were credited to it. */
  #isPast({ toAt }: Outage): boolean {
    const { startedAt, createdAt, clock } = this.#table.state();
    return (startedAt ?? createdAt) >= toAt || (clock.creditedTo !== null && clock.creditedTo >= toAt);
  }

  /** What an outage of the server that served these players took from each; null: from both. */
  #toLosses(outage: Outage, served: Served | null): readonly ServiceLoss[] {
    const players = served?.get(this.#table.gameId);
    return ([1, 2] as const).flatMap((seat) => {
      const playerId = ofSeat(this.#table.state().players, seat);
      if (playerId === null) return [];
      const handedAt = served === null ? null : players?.get(playerId);
      if (handedAt === undefined) return [];
      // A player who was here before the outage lost nothing.
      return [{ seat, fromAt: handedAt ?? outage.fromAt, untilAt: this.#table.hereSinceAt(seat) ?? outage.toAt }];
    });
  }
}
