import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Carrier } from "./nats.ts";
import { type Change, makeShare, type ReadonlyShare, type Share } from "./share.ts";

/**
 * The servers of one installation, as one of them sees the others. Everything received is a hint;
 * the database decides.
 */
export interface Cluster {
  readonly isShared: boolean;
  send(topic: string, message: unknown): void;
  onHint(receive: (topic: string, message: unknown) => void): void;
  /** Called when messages of other servers may have been missed. */
  onMissed(call: () => void): void;
  /** False while messages of other servers are certainly missed. */
  readonly isConnected: boolean;
  hold(key: string): void;
  release(key: string): void;
  /** For a shutdown: the others must know whom this server served until it has ended. */
  keepShare(): void;
  /** Whether messages of that server arrive; false a second after the last one. */
  isHeard(nodeId: string): boolean;
  isHeldElsewhere(key: string): boolean;
  /**
   * Whether the outage of a server that held the key may still be unknown: it was silent since a
   * deadline that passed `overdueMs` ago, or is lost. False after eight seconds.
   */
  isHeldByLost(key: string, overdueMs: number): boolean;
  /** The outage of that server is known. */
  markOutageKnown(nodeId: string): void;
  /** Keys without a space that others hold and this server does not. */
  countElsewhere(): number;
  onHeldElsewhere(receive: (key: string, isHeld: boolean) => void): void;
  /** What that server held at its last message. */
  findShare(nodeId: string): ReadonlyShare | null;
  ownShare(): ReadonlyShare;
  publish(subject: string, message: unknown): void;
  subscribe(subject: string, receive: (message: unknown) => void): () => void;
  close(): Promise<void>;
}

export function makeOnlyServer(): Cluster {
  const own = makeShare();
  return {
    isShared: false,
    isConnected: true,
    send: () => undefined,
    onHint: () => undefined,
    onMissed: () => undefined,
    hold: () => undefined,
    release: () => undefined,
    keepShare: () => undefined,
    isHeard: () => false,
    isHeldElsewhere: () => false,
    isHeldByLost: () => false,
    markOutageKnown: () => undefined,
    countElsewhere: () => 0,
    onHeldElsewhere: () => undefined,
    findShare: () => null,
    ownShare: () => own,
    publish: () => undefined,
    subscribe: () => () => undefined,
    close: async () => undefined,
  };
}

type Message = { readonly node: string } & (
  | { readonly type: "beat"; readonly sent: number; readonly digest: string }
  | { readonly type: "hint"; readonly sent: number; readonly topic: string; readonly message: unknown }
  | { readonly type: "changes"; readonly changes: readonly Change[] }
  | { readonly type: "keys"; readonly isFirst: boolean; readonly isLast: boolean; readonly keys: readonly string[] }
  | { readonly type: "ask"; readonly of: string | null }
  | { readonly type: "leave" }
);

interface Peer {
  heardMs: number;
  sent: number | null;
  share: Share;
  incoming: Set<string> | null;
  askedMs: number;
}

interface GonePeer {
  readonly share: Share;
  /** When it was dropped; null once its outage is known. */
  droppedMs: number | null;
}

interface ClusterOptions {
  readonly nodeId: string;
  readonly carrier: Carrier;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly prefix: string;
  readonly monotonicMs?: () => number;
}

const BEAT_EVERY_MS = 500;
/** A server that is silent for longer no longer holds anything. */
const GONE_AFTER_MS = 2_000;
const SILENT_AFTER_MS = 1_000;
/** An outage is stored and read within about six seconds of the last message. */
const OUTAGE_KNOWN_WITHIN_MS = 8_000;
const ASK_AGAIN_MS = 1_000;
const KEYS_PER_MESSAGE = 4_000;
/** Shares of lost servers, kept for the credit of their outages. */
const GONE_KEPT = 32;

export function openCluster(options: ClusterOptions): Cluster {
  const { nodeId, carrier, log, metrics, prefix, monotonicMs = () => performance.now() } = options;
  const all = `${prefix}.all`;
  const peers = new Map<string, Peer>();
  const gone = new Map<string, GonePeer>();
  const own = makeShare();
  const heldElsewhere = new Map<string, number>();
  const hintListeners: ((topic: string, message: unknown) => void)[] = [];
  const missedListeners: (() => void)[] = [];
  const heldListeners: ((key: string, isHeld: boolean) => void)[] = [];
  let changes: Change[] = [];
  let sent = 0;
  let connectedMs = monotonicMs();
  let playersElsewhere = 0;
  let isShareKept = false;
  metrics.gauge("holo_servers", "Servers in contact with this one, itself included", () => peers.size + 1);
  const missed = metrics.counter("holo_hints_missed_total", "Gaps noticed in messages from other servers");

  const send = (message: Omit<Message, "node"> & Record<string, unknown>): void =>
    carrier.publish(all, JSON.stringify({ node: nodeId, ...message }));

  function noteMissed(): void {
    missed.inc();
    for (const call of missedListeners) call();
  }

  function changeHeld(key: string, by: 1 | -1): void {
    const before = heldElsewhere.get(key) ?? 0;
    const after = before + by;
    if (after > 0) heldElsewhere.set(key, after);
    else heldElsewhere.delete(key);
    if (before > 0 === after > 0) return;
    if (!key.includes(" ") && !own.has(key)) playersElsewhere += by;
    for (const receive of heldListeners) receive(key, after > 0);
  }

  function replaceShare(peer: Peer, keys: ReadonlySet<string>): void {
    for (const key of [...peer.share.keys()]) if (!keys.has(key) && peer.share.delete(key)) changeHeld(key, -1);
    for (const key of keys) if (peer.share.add(key)) changeHeld(key, 1);
  }

  function drop(node: string, peer: Peer): void {
    peers.delete(node);
    gone.delete(node);
    gone.set(node, { share: makeShare(peer.share.keys()), droppedMs: monotonicMs() });
    const [oldest] = gone.keys();
    if (gone.size > GONE_KEPT && oldest !== undefined) gone.delete(oldest);
    replaceShare(peer, new Set());
    // Its last messages may be lost.
    noteMissed();
  }

  function ask(node: string, peer: Peer): void {
    if (monotonicMs() - peer.askedMs < ASK_AGAIN_MS) return;
    peer.askedMs = monotonicMs();
    send({ type: "ask", of: node });
  }

  function beat(): void {
    send({ type: "beat", sent, digest: own.digest() });
    const nowMs = monotonicMs();
    // While it is disconnected, this server cannot know which others have ended.
    if (!carrier.isConnected) connectedMs = nowMs;
    for (const [node, peer] of peers) {
      if (nowMs - Math.max(peer.heardMs, connectedMs) <= GONE_AFTER_MS) continue;
      log.warn({ node }, "lost contact with another server");
      drop(node, peer);
    }
  }

  function sendKeys(): void {
    sendChanges();
    const keys = [...own.keys()];
    for (let from = 0; from === 0 || from < keys.length; from += KEYS_PER_MESSAGE) {
      const part = keys.slice(from, from + KEYS_PER_MESSAGE);
      send({ type: "keys", isFirst: from === 0, isLast: from + KEYS_PER_MESSAGE >= keys.length, keys: part });
    }
  }

  function sendChanges(): void {
    if (changes.length === 0) return;
    for (let from = 0; from < changes.length; from += KEYS_PER_MESSAGE)
      send({ type: "changes", changes: changes.slice(from, from + KEYS_PER_MESSAGE) });
    changes = [];
  }

  function change(key: string, isAdded: boolean): void {
    if (changes.length === 0) setImmediate(sendChanges);
    changes.push(isAdded ? `+${key}` : `-${key}`);
  }

  function findPeer(node: string): Peer {
    const known = peers.get(node);
    if (known !== undefined) return known;
    const peer = { heardMs: 0, sent: null, share: makeShare(), incoming: null, askedMs: -ASK_AGAIN_MS };
    peers.set(node, peer);
    gone.delete(node);
    log.info({ node }, "made contact with another server");
    // What it sent before did not arrive.
    noteMissed();
    return peer;
  }

  function countHints(peer: Peer, newest: number): void {
    if (peer.sent !== null && newest !== peer.sent) noteMissed();
    peer.sent = newest;
  }

  function receive(message: Message): void {
    const { node } = message;
    if (message.type === "ask") {
      if (message.of === null || message.of === nodeId) sendKeys();
      return;
    }
    if (message.type === "leave") {
      const left = peers.get(node);
      if (left !== undefined) drop(node, left);
      return;
    }
    const peer = findPeer(node);
    peer.heardMs = monotonicMs();
    switch (message.type) {
      case "beat":
        countHints(peer, message.sent);
        if (message.digest !== peer.share.digest() && peer.incoming === null) ask(node, peer);
        // Requests keys again whose last part was lost.
        else if (peer.incoming !== null && monotonicMs() - peer.askedMs > ASK_AGAIN_MS) peer.incoming = null;
        return;
      case "hint":
        countHints(peer, message.sent - 1);
        peer.sent = message.sent;
        for (const call of hintListeners) call(message.topic, message.message);
        return;
      case "changes":
        for (const one of message.changes) {
          const key = one.slice(1);
          if (one.startsWith("+") ? peer.share.add(key) : peer.share.delete(key))
            changeHeld(key, one.startsWith("+") ? 1 : -1);
        }
        return;
      case "keys":
        if (message.isFirst) peer.incoming = new Set();
        if (peer.incoming === null) return;
        for (const key of message.keys) peer.incoming.add(key);
        if (!message.isLast) return;
        replaceShare(peer, peer.incoming);
        peer.incoming = null;
        return;
    }
  }

  const unsubscribe = carrier.subscribe(all, (text) => receive(JSON.parse(text)));
  carrier.onConnected(() => {
    connectedMs = monotonicMs();
    for (const peer of peers.values()) peer.sent = null;
    send({ type: "ask", of: null });
    beat();
    sendKeys();
    noteMissed();
  });
  const timer = setInterval(beat, BEAT_EVERY_MS);
  timer.unref();

  return {
    isShared: true,
    get isConnected() {
      return carrier.isConnected;
    },
    send(topic, message) {
      sent += 1;
      send({ type: "hint", sent, topic, message });
    },
    onHint: (call) => void hintListeners.push(call),
    onMissed: (call) => void missedListeners.push(call),
    hold(key) {
      if (!own.add(key)) return;
      if (!key.includes(" ") && heldElsewhere.has(key)) playersElsewhere -= 1;
      change(key, true);
    },
    release(key) {
      if (isShareKept || !own.delete(key)) return;
      if (!key.includes(" ") && heldElsewhere.has(key)) playersElsewhere += 1;
      change(key, false);
    },
    keepShare() {
      isShareKept = true;
    },
    isHeard(node) {
      const peer = peers.get(node);
      return peer !== undefined && monotonicMs() - peer.heardMs <= SILENT_AFTER_MS;
    },
    isHeldElsewhere: (key) => heldElsewhere.has(key),
    isHeldByLost(key, overdueMs) {
      if (overdueMs > OUTAGE_KNOWN_WITHIN_MS) return false;
      const nowMs = monotonicMs();
      const silentMs = Math.min(overdueMs, SILENT_AFTER_MS);
      for (const { share, heardMs } of peers.values()) if (share.has(key) && nowMs - heardMs > silentMs) return true;
      for (const { share, droppedMs } of gone.values())
        if (droppedMs !== null && nowMs - droppedMs < OUTAGE_KNOWN_WITHIN_MS && share.has(key)) return true;
      return false;
    },
    markOutageKnown(node) {
      const peer = gone.get(node);
      if (peer !== undefined) peer.droppedMs = null;
    },
    countElsewhere: () => playersElsewhere,
    onHeldElsewhere: (call) => void heldListeners.push(call),
    findShare: (node) => peers.get(node)?.share ?? gone.get(node)?.share ?? null,
    ownShare: () => own,
    publish: (subject, message) => carrier.publish(`${prefix}.${subject}`, JSON.stringify(message)),
    subscribe: (subject, call) => carrier.subscribe(`${prefix}.${subject}`, (text) => call(JSON.parse(text))),
    async close() {
      clearInterval(timer);
      unsubscribe();
      send({ type: "leave" });
      await carrier.close();
    },
  };
}
