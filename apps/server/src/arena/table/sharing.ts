import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Cluster } from "../../platform/cluster/cluster.ts";
import type { ChatMessage } from "../chat/chat-store.ts";
import { SPECTATOR, toSeatKey } from "./outage-store.ts";
import type { ServedSeats } from "./served-seats.ts";
import type { RemoteRecord } from "./table.ts";

export type TableMessage =
  | ({ readonly type: "record" } & RemoteRecord)
  | { readonly type: "chat"; readonly message: ChatMessage };

/** A table among several servers: the seats that are held here, and the messages about it. */
export class TableSharing {
  readonly #cluster: Cluster;
  readonly #seats: ServedSeats;
  readonly #gameId: GameId;
  readonly #receive: (message: TableMessage) => void;
  /** The key of each seat that is held here. */
  readonly #held: [string | null, string | null] = [null, null];
  #unfollow: (() => void) | null = null;
  #isSpectated = false;
  #keys: Map<PlayerId, string> | null = null;

  constructor(cluster: Cluster, seats: ServedSeats, gameId: GameId, receive: (message: TableMessage) => void) {
    this.#cluster = cluster;
    this.#seats = seats;
    this.#gameId = gameId;
    this.#receive = receive;
  }

  get isShared(): boolean {
    return this.#cluster.isShared;
  }

  /** Whether the player watches the table on another server. */
  isElsewhere(playerId: PlayerId | null): boolean {
    return this.isShared && playerId !== null && this.#cluster.isHeldElsewhere(this.#toKey(playerId));
  }

  /** Whether an outage of the player's server may still be unknown; see `Cluster`. */
  isHeldByLost(playerId: PlayerId | null, overdueMs: number): boolean {
    return playerId !== null && this.#cluster.isHeldByLost(this.#toKey(playerId), overdueMs);
  }

  /** How long ago the player's earlier server was lost; see `Cluster`. */
  toLossMs(playerId: PlayerId): number | null {
    return this.#cluster.toLossMs(this.#toKey(playerId));
  }

  /** Whether the player's earlier server may be lost, as it was silent for so long. */
  isInDoubt(playerId: PlayerId, silentMs: number): boolean {
    return this.#cluster.isInDoubt(this.#toKey(playerId), silentMs);
  }

  /** Lets the other servers know whether the player of the seat watches here. */
  setHere(seat: Seat, playerId: PlayerId | null, isHere: boolean): void {
    const key = this.#held[seat - 1] ?? null;
    if (isHere && playerId !== null && key === null) {
      this.#held[seat - 1] = this.#toKey(playerId);
      this.#seats.hold(this.#toKey(playerId));
    } else if (!isHere && key !== null) {
      this.#held[seat - 1] = null;
      this.#seats.release(key);
    }
  }

  /** From now on receives what other servers publish of the table; called after `setHere`. */
  follow(): void {
    this.#setSpectated(this.#held.every((key) => key === null));
    this.#unfollow ??= this.#cluster.subscribe(`table.${this.#gameId}`, (message) =>
      this.#receive(message as TableMessage),
    );
  }

  unfollow(): void {
    this.#setSpectated(false);
    this.#unfollow?.();
    this.#unfollow = null;
  }

  /** Most tables are followed by no other server, or by that of the opponent. */
  publish(message: TableMessage, players: TableState<unknown>["players"]): void {
    if (!this.isShared) return;
    const isFollowed = players.some((id) => this.isElsewhere(id)) || this.#isSpectatedElsewhere;
    if (isFollowed) this.#cluster.publish(`table.${this.#gameId}`, message);
  }

  get #isSpectatedElsewhere(): boolean {
    return this.#cluster.isHeldElsewhere(this.#toKey(SPECTATOR));
  }

  /** A seat that is held here lets the other servers know too that the table is followed. */
  #setSpectated(isSpectated: boolean): void {
    if (this.#isSpectated === isSpectated) return;
    this.#isSpectated = isSpectated;
    const key = this.#toKey(SPECTATOR);
    if (isSpectated) this.#cluster.hold(key);
    else this.#cluster.release(key);
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
    this.#held.fill(null);
  }
}
