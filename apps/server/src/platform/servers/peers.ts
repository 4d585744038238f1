import type { Log } from "../log.ts";
import type { HeldElsewhere } from "./held-elsewhere.ts";
import type { HintSource } from "./hints.ts";
import type { Message } from "./message.ts";
import { type Change, makeShare, type ReadonlyShare, type Share } from "./share.ts";

interface Peer extends HintSource {
  lastMessageMs: number;
  /** When it said that it serves no player any more. */
  closedMs: number | null;
  isHandingOver: boolean;
  /** Since when it does not serve these keys any more. */
  readonly handedMs: Map<string, number>;
  readonly share: Share;
  /** Whether all its keys were known at its last beat; later changes are in the share. */
  isShareComplete: boolean;
  /** Keys of an answer whose last part is awaited. */
  incoming: Set<string> | null;
  askedMs: number;
}

type KeysMessage = Extract<Message, { readonly type: "keys" }>;

interface GonePeer extends Pick<Peer, "lastMessageMs" | "closedMs" | "isHandingOver" | "handedMs" | "isShareComplete"> {
  readonly share: ReadonlyShare;
  /** Until when it served its players, as far as this server knows. */
  readonly servedMs: number;
  /** When it was dropped; null once its outage is known. */
  droppedMs: number | null;
}

interface PeersDeps {
  readonly log: Log;
  readonly monotonicMs: () => number;
  readonly held: HeldElsewhere;
  /** Messages of a server may have been missed. */
  readonly onMissed: () => void;
}

/** A server that is silent for longer no longer holds anything. */
const GONE_AFTER_MS = 2_000;
const SILENT_AFTER_MS = 1_000;
const ASK_AGAIN_MS = 1_000;
/** An outage is stored and read within about six seconds of the last message. */
const OUTAGE_KNOWN_WITHIN_MS = 8_000;
/** Shares of lost servers, kept for the credit of their outages. */
const GONE_KEPT = 32;

/** The other servers, what each holds, and what lost ones held at last. */
export class Peers {
  readonly #deps: PeersDeps;
  readonly #peers = new Map<string, Peer>();
  readonly #gone = new Map<string, GonePeer>();
  #connectedMs: number;

  constructor(deps: PeersDeps) {
    this.#deps = deps;
    this.#connectedMs = deps.monotonicMs();
  }

  get size(): number {
    return this.#peers.size;
  }

  /** Notes a message of that server, and makes contact if it is the first. */
  noteMessage(server: string): Peer {
    const peer = this.#peers.get(server) ?? this.#add(server);
    peer.lastMessageMs = this.#deps.monotonicMs();
    return peer;
  }

  /** That server has ended, or contact with it was lost. */
  drop(server: string): void {
    const peer = this.#peers.get(server);
    if (peer === undefined) return;
    this.#peers.delete(server);
    this.#gone.delete(server);
    const { lastMessageMs, closedMs, isHandingOver, handedMs, isShareComplete } = peer;
    this.#gone.set(server, {
      lastMessageMs,
      closedMs,
      isHandingOver,
      handedMs,
      isShareComplete,
      share: makeShare(peer.share.keys()),
      servedMs: peer.closedMs ?? this.#toLastContactMs(peer),
      droppedMs: this.#deps.monotonicMs(),
    });
    const [oldest] = this.#gone.keys();
    if (this.#gone.size > GONE_KEPT && oldest !== undefined) this.#gone.delete(oldest);
    this.#replaceShare(peer, new Set());
    // Its last messages may be lost.
    this.#deps.onMissed();
  }

  /** Drops servers that were silent for too long while this one was connected. */
  dropSilent(isConnected: boolean): void {
    const nowMs = this.#deps.monotonicMs();
    // While it is disconnected, this server cannot know which others have ended.
    if (!isConnected) this.#connectedMs = nowMs;
    for (const [server, peer] of this.#peers) {
      if (nowMs - this.#toLastContactMs(peer) <= GONE_AFTER_MS) continue;
      this.#deps.log.warn({ server }, "lost contact with another server");
      this.drop(server);
    }
  }

  /** Hints up to now may be missed: counting begins with the next message. */
  noteConnected(): void {
    this.#connectedMs = this.#deps.monotonicMs();
    for (const peer of this.#peers.values()) peer.sent = null;
  }

  /** True if the server must be asked for its keys: they differ from what is known of them. */
  needsKeys(peer: Peer, digest: string): boolean {
    const nowMs = this.#deps.monotonicMs();
    peer.isShareComplete = digest === peer.share.digest();
    if (!peer.isShareComplete && peer.incoming === null) {
      if (nowMs - peer.askedMs < ASK_AGAIN_MS) return false;
      peer.askedMs = nowMs;
      return true;
    }
    // Requests keys again whose last part was lost.
    if (peer.incoming !== null && nowMs - peer.askedMs > ASK_AGAIN_MS) peer.incoming = null;
    return false;
  }

  listHolders(keys: readonly string[]): readonly string[] {
    const holders: string[] = [];
    for (const [server, { share }] of this.#peers) if (keys.some((key) => share.has(key))) holders.push(server);
    return holders;
  }

  applyChanges(peer: Peer, changes: readonly Change[]): void {
    for (const change of changes) {
      const key = change.slice(1);
      if (change.startsWith("+")) this.#hold(peer, key);
      else this.#release(peer, key);
    }
  }

  /** Once the last part of an answer has arrived, it replaces the share. */
  receiveKeys(peer: Peer, { isFirst, isLast, keys }: KeysMessage): void {
    if (isFirst) peer.incoming = new Set();
    if (peer.incoming === null) return;
    for (const key of keys) peer.incoming.add(key);
    if (!isLast) return;
    this.#replaceShare(peer, peer.incoming);
    peer.incoming = null;
    peer.isShareComplete = true;
  }

  noteHanded(peer: Peer, agoMs: number, keys: readonly string[]): void {
    const atMs = this.#deps.monotonicMs() - agoMs;
    for (const key of keys) if (!peer.handedMs.has(key)) peer.handedMs.set(key, atMs);
  }

  isStaying(server: string): boolean {
    const peer = this.#peers.get(server);
    return peer !== undefined && this.isInContact(server) && !peer.isHandingOver && peer.closedMs === null;
  }

  isInContact(server: string): boolean {
    const peer = this.#peers.get(server);
    return peer !== undefined && this.#deps.monotonicMs() - peer.lastMessageMs <= SILENT_AFTER_MS;
  }

  isHeldByLost(key: string, overdueMs: number): boolean {
    if (overdueMs > OUTAGE_KNOWN_WITHIN_MS) return false;
    const nowMs = this.#deps.monotonicMs();
    const silentMs = Math.min(overdueMs, SILENT_AFTER_MS);
    for (const { share, lastMessageMs, closedMs, handedMs } of this.#peers.values()) {
      const isServing = closedMs === null && !handedMs.has(key) && nowMs - lastMessageMs <= silentMs;
      if (share.has(key) && !isServing) return true;
    }
    for (const { share, droppedMs } of this.#gone.values())
      if (droppedMs !== null && nowMs - droppedMs < OUTAGE_KNOWN_WITHIN_MS && share.has(key)) return true;
    return false;
  }

  findLossMs(key: string): number | null {
    const nowMs = this.#deps.monotonicMs();
    for (const peer of this.#peers.values()) {
      if (this.#isServingAll(peer, nowMs) || !peer.share.has(key)) continue;
      const endedMs = peer.handedMs.get(key) ?? peer.closedMs;
      const lossMs = nowMs - (endedMs ?? this.#toLastContactMs(peer));
      if (endedMs !== null || lossMs > SILENT_AFTER_MS) return lossMs;
    }
    for (const { share, servedMs, droppedMs, handedMs } of this.#gone.values()) {
      if (droppedMs === null || nowMs - droppedMs >= OUTAGE_KNOWN_WITHIN_MS || !share.has(key)) continue;
      return nowMs - (handedMs.get(key) ?? servedMs);
    }
    return null;
  }

  isInDoubt(key: string, silentMs: number): boolean {
    if (silentMs > SILENT_AFTER_MS) return false;
    const nowMs = this.#deps.monotonicMs();
    for (const peer of this.#peers.values()) {
      if (!peer.share.has(key) || peer.handedMs.has(key) || peer.closedMs !== null) continue;
      const quietMs = nowMs - this.#toLastContactMs(peer);
      if (quietMs >= silentMs && quietMs <= SILENT_AFTER_MS) return true;
    }
    return false;
  }

  markOutageKnown(server: string): void {
    const peer = this.#gone.get(server);
    if (peer !== undefined) peer.droppedMs = null;
  }

  /** The keys of a lost server with how long ago each may have been handed over; see `Servers`. */
  findServed(server: string, isConnected: boolean): ReadonlyMap<string, number | null> | null {
    const peer = this.#peers.get(server) ?? this.#gone.get(server);
    // A server that hands over takes no new connections. Without NATS its last known keys count, so
    // a player of it who has sat down at a table since is charged for the change of server.
    if (peer === undefined || !(isConnected || (peer.isHandingOver && peer.isShareComplete))) return null;
    // After its last message it may have handed over players whom no message named.
    const silentSinceMs = peer.isHandingOver && peer.closedMs === null ? peer.lastMessageMs : null;
    const nowMs = this.#deps.monotonicMs();
    const served = new Map<string, number | null>();
    for (const key of peer.share.keys()) {
      const atMs = peer.handedMs.get(key) ?? silentSinceMs;
      served.set(key, atMs === null ? null : nowMs - atMs);
    }
    return served;
  }

  /** Asked for every move: spares the search for its player. */
  #isServingAll(peer: Peer, nowMs: number): boolean {
    const isEnding = peer.closedMs !== null || peer.handedMs.size > 0;
    return !isEnding && nowMs - this.#toLastContactMs(peer) <= SILENT_AFTER_MS;
  }

  /** A lost connection to NATS must not make the players of other servers count as unserved. */
  #toLastContactMs({ lastMessageMs }: Peer): number {
    return Math.max(lastMessageMs, this.#connectedMs);
  }

  #add(server: string): Peer {
    const peer: Peer = {
      lastMessageMs: 0,
      closedMs: null,
      isHandingOver: false,
      handedMs: new Map(),
      sent: null,
      share: makeShare(),
      isShareComplete: false,
      incoming: null,
      askedMs: Number.NEGATIVE_INFINITY,
    };
    this.#peers.set(server, peer);
    this.#gone.delete(server);
    this.#deps.log.info({ server }, "made contact with another server");
    // What it sent before did not arrive.
    this.#deps.onMissed();
    return peer;
  }

  #replaceShare(peer: Peer, keys: ReadonlySet<string>): void {
    for (const key of [...peer.share.keys()]) if (!keys.has(key)) this.#release(peer, key);
    for (const key of keys) this.#hold(peer, key);
  }

  #hold(peer: Peer, key: string): void {
    if (peer.share.add(key)) this.#deps.held.add(key);
  }

  #release(peer: Peer, key: string): void {
    if (peer.share.delete(key)) this.#deps.held.delete(key);
  }
}
