import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { clearInterval, performance, setInterval } from "../runtime.ts";
import { HeldElsewhere } from "./held-elsewhere.ts";
import { Hints } from "./hints.ts";
import type { Message } from "./message.ts";
import type { Carrier } from "./nats.ts";
import { OwnShare } from "./own-share.ts";
import { Peers } from "./peers.ts";
import { makeReceiver } from "./receiver.ts";
import { makeShare, type ReadonlyShare } from "./share.ts";

/**
 * The servers of one installation, as one of them sees the others. Everything received is a hint;
 * the database decides.
 */
export interface Servers {
  readonly isShared: boolean;
  send(topic: string, message: unknown): void;
  onHint(receive: (topic: string, message: unknown) => void): void;
  /** Called when messages of other servers may have been missed. */
  onMissed(call: () => void): void;
  /** False while messages of other servers are certainly missed. */
  readonly isConnected: boolean;
  hold(key: string): void;
  release(key: string): void;
  /** Announces that this server will end and hands its players to the others before. */
  startHandover(): void;
  /** The players of these keys are not served here from now on; the keys stay held. */
  handOver(keys: readonly string[]): void;
  /** Whether messages of that server arrive and it is not about to end. */
  isStaying(serverId: string): boolean;
  /** At a shutdown: the others must know whom this server served, and that it does no longer. */
  keepShare(): void;
  /** Whether messages of that server arrive; false a second after the last one. */
  isInContact(serverId: string): boolean;
  isHeldElsewhere(key: string): boolean;
  /**
   * Whether the outage of a server that held the key may still be unknown: it was silent since a
   * deadline that passed `overdueMs` ago, or is lost. False after eight seconds.
   */
  isHeldByLost(key: string, overdueMs: number): boolean;
  /**
   * How long the server that holds the key has served no player, or has been silent for over a
   * second, while that outage may still be unknown; else null.
   */
  findLossMs(key: string): number | null;
  /** Whether a server that holds the key was silent for so long, but not long enough to be lost. */
  isInDoubt(key: string, silentMs: number): boolean;
  /** The outage of that server is known. */
  markOutageKnown(serverId: string): void;
  /** Keys without a space that others hold and this server does not. */
  countElsewhere(): number;
  onHeldElsewhere(receive: (key: string, isHeld: boolean) => void): void;
  /**
   * The keys that a lost server held, each with how long ago it may have been handed over; null: it
   * was served to the end. Returns null if the keys are not known for certain.
   */
  findServed(serverId: string): ReadonlyMap<string, number | null> | null;
  ownShare(): ReadonlyShare;
  /** Sends to each server that holds one of the keys, together with what else waits for it. */
  sendToHolders(keys: readonly string[], message: unknown): void;
  /** Called with each message that another server sent to this one as a holder of a key. */
  onSentHere(receive: (message: unknown) => void): void;
  publish(subject: string, message: unknown): void;
  subscribe(subject: string, receive: (message: unknown) => void): () => void;
  close(): Promise<void>;
}

export function makeOnlyServer(): Servers {
  const own = makeShare();
  return {
    isShared: false,
    isConnected: true,
    send: () => undefined,
    onHint: () => undefined,
    onMissed: () => undefined,
    hold: () => undefined,
    release: () => undefined,
    startHandover: () => undefined,
    handOver: () => undefined,
    isStaying: () => false,
    keepShare: () => undefined,
    isInContact: () => false,
    isHeldElsewhere: () => false,
    isHeldByLost: () => false,
    findLossMs: () => null,
    isInDoubt: () => false,
    markOutageKnown: () => undefined,
    countElsewhere: () => 0,
    onHeldElsewhere: () => undefined,
    findServed: () => null,
    ownShare: () => own,
    sendToHolders: () => undefined,
    onSentHere: () => undefined,
    publish: () => undefined,
    subscribe: () => () => undefined,
    close: async () => undefined,
  };
}

interface ServersDeps {
  readonly serverId: string;
  readonly carrier: Carrier;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly prefix: string;
  readonly monotonicMs?: () => number;
}

const BEAT_EVERY_MS = 500;

export function openServers(deps: ServersDeps): Servers {
  const { serverId, carrier, log, metrics, prefix, monotonicMs = () => performance.now() } = deps;
  const all = `${prefix}.all`;
  const send = (message: Message): void => carrier.publish(all, JSON.stringify({ server: serverId, ...message }));
  const own = new OwnShare(send, monotonicMs);
  const held = new HeldElsewhere(own.share);
  const hints = new Hints(send, metrics);
  const peers = new Peers({ log, monotonicMs, held, onMissed: () => hints.noteMissed() });

  function beat(): void {
    // A server that missed the announcement learns it from the next beat.
    const handover = own.isHandingOver ? ({ isHandingOver: true } as const) : {};
    send({ type: "beat", sent: hints.sent, digest: own.digest(), ...handover });
    peers.dropSilent(carrier.isConnected);
  }

  const receive = makeReceiver({ serverId, send, own, peers, hints });
  const toOwn = (server: string): string => `${prefix}.server.${server}`;
  const listeners: ((message: unknown) => void)[] = [];

  function receiveJoined(text: string): void {
    for (const message of JSON.parse(text))
      for (const call of listeners) {
        try {
          call(message);
        } catch (err) {
          // The other messages must not be lost with it.
          log.error({ err }, "a message to this server could not be handled");
        }
      }
  }

  const subscriptions = [
    carrier.subscribe(all, (text) => receive(JSON.parse(text))),
    carrier.subscribe(toOwn(serverId), receiveJoined),
  ];
  carrier.onConnected(() => {
    peers.noteConnected();
    send({ type: "ask", of: null });
    beat();
    own.sendAll();
    hints.noteMissed();
  });
  const timer = setInterval(beat, BEAT_EVERY_MS);
  timer.unref();

  return {
    isShared: true,
    get isConnected() {
      return carrier.isConnected;
    },
    send: (topic, message) => hints.send(topic, message),
    onHint: (receive) => hints.onHint(receive),
    onMissed: (call) => hints.onMissed(call),
    hold(key) {
      if (own.hold(key)) held.noteOwn(key, true);
    },
    release(key) {
      if (own.release(key)) held.noteOwn(key, false);
    },
    startHandover: () => own.startHandover(),
    handOver: (keys) => own.handOver(keys),
    // Without NATS the others would not know whom this server hands over.
    isStaying: (server) => carrier.isConnected && peers.isStaying(server),
    keepShare: () => own.keep(),
    isInContact: (server) => peers.isInContact(server),
    isHeldElsewhere: (key) => held.has(key),
    isHeldByLost: (key, overdueMs) => peers.isHeldByLost(key, overdueMs),
    findLossMs: (key) => peers.findLossMs(key),
    isInDoubt: (key, silentMs) => peers.isInDoubt(key, silentMs),
    markOutageKnown: (server) => peers.markOutageKnown(server),
    countElsewhere: () => held.countPlayers(),
    onHeldElsewhere: (call) => held.onChange(call),
    findServed: (server) => peers.findServed(server, carrier.isConnected),
    ownShare: () => own.share,
    sendToHolders(keys, message) {
      const text = JSON.stringify(message);
      for (const server of peers.listHolders(keys)) carrier.publishJoined(toOwn(server), text);
    },
    onSentHere: (call) => void listeners.push(call),
    publish: (subject, message) => carrier.publish(`${prefix}.${subject}`, JSON.stringify(message)),
    subscribe: (subject, call) => carrier.subscribe(`${prefix}.${subject}`, (text) => call(JSON.parse(text))),
    async close() {
      clearInterval(timer);
      for (const unsubscribe of subscriptions) unsubscribe();
      send({ type: "leave" });
      await carrier.close();
    },
  };
}
