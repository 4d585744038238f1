import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Servers } from "../../platform/servers/servers.ts";
import { SPECTATOR, toSeatKey } from "./outage-store.ts";
import type { ServedSeats } from "./served-seats.ts";
import type { TableMessage } from "./table.ts";

/**
 * A table among several servers: the seats that are held here, and the messages about it. A lost
 * message is found by `arena/catch-up.ts` within a second.
 */
export class TableSharing {
  readonly #servers: Servers;
  readonly #seats: ServedSeats;
  readonly #gameId: GameId;
  /** The key of each seat that is held here. */
  #held: BySeat<string | null> = [null, null];
  #isFollowing = false;
  #isSpectated = false;
  #keys: Map<PlayerId, string> | null = null;

  constructor(servers: Servers, seats: ServedSeats, gameId: GameId) {
    this.#servers = servers;
    this.#seats = seats;
    this.#gameId = gameId;
  }

  get isShared(): boolean {
    return this.#servers.isShared;
  }

  /** Whether the player watches the table on another server. */
  isElsewhere(playerId: PlayerId | null): boolean {
    return this.isShared && playerId !== null && this.#servers.isHeldElsewhere(this.#toKey(playerId));
  }

  /** Whether an outage of the player's server may still be unknown; see `Servers`. */
  isHeldByLost(playerId: PlayerId | null, overdueMs: number): boolean {
    return playerId !== null && this.#servers.isHeldByLost(this.#toKey(playerId), overdueMs);
  }

  /** How long ago the player's earlier server was lost; see `Servers`. */
  findLossMs(playerId: PlayerId): number | null {
    return this.#servers.findLossMs(this.#toKey(playerId));
  }

  /** Whether the player's earlier server may be lost, as it was silent for so long. */
  isInDoubt(playerId: PlayerId, silentMs: number): boolean {
    return this.#servers.isInDoubt(this.#toKey(playerId), silentMs);
  }

  /** Lets the other servers know whether the player of the seat watches here. */
  setHere(seat: Seat, playerId: PlayerId | null, isHere: boolean): void {
    const key = ofSeat(this.#held, seat);
    if (isHere && playerId !== null && key === null) {
      this.#held = replaceSeat(this.#held, seat, this.#toKey(playerId));
      this.#seats.hold(this.#toKey(playerId));
    } else if (!isHere && key !== null) {
      this.#held = replaceSeat(this.#held, seat, null);
      this.#seats.release(key);
    }
  }

  /** Whether the table takes what other servers send of it. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Called after `setHere`. */
  follow(): void {
    this.#setSpectated(this.#held.every((key) => key === null));
    this.#isFollowing = true;
  }

  unfollow(): void {
    this.#setSpectated(false);
    this.#isFollowing = false;
  }

  /** Most tables are followed by no other server, or by that of the opponent. */
  publish(message: TableMessage, players: TableState<unknown>["players"]): void {
    if (!this.isShared) return;
    const keys = [this.#toKey(SPECTATOR)];
    for (const id of players) if (id !== null) keys.push(this.#toKey(id));
    if (!keys.some((key) => this.#servers.isHeldElsewhere(key))) return;
    this.#servers.sendToHolders(keys, message);
  }

  /** A seat that is held here lets the other servers know too that the table is followed. */
  #setSpectated(isSpectated: boolean): void {
    if (this.#isSpectated === isSpectated) return;
    this.#isSpectated = isSpectated;
    const key = this.#toKey(SPECTATOR);
    if (isSpectated) this.#servers.hold(key);
    else this.#servers.release(key);
  }

  /** With several servers: kept, because a new text would be hashed again for every record. */
  #toKey(playerId: PlayerId): string {
    this.#keys ??= new Map();
    const known = this.#keys.get(playerId);
    if (known !== undefined) return known;
    const key = toSeatKey(this.#gameId, playerId);
    this.#keys.set(playerId, key);
    return key;
  }

  close(): void {
    this.unfollow();
    for (const key of this.#held) if (key !== null) this.#seats.release(key);
    this.#held = [null, null];
  }
}
