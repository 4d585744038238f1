import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Time } from "../time/time.ts";
import type { Cancel, TimerWheel } from "../time/timer-wheel.ts";
import { type Envelope, type Item, openSeal } from "./envelope.ts";
import type { Carrier } from "./nats.ts";
import { Outbox } from "./outbox.ts";
import type { OwnServer } from "./own-server.ts";

/** No answer in time, or none that could be sent: what was asked for may have happened. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Messages between servers, in order for each pair. They may be lost; `onGap` tells. */
export interface Links {
  /** False: messages are certainly lost. */
  readonly isConnected: boolean;
  send(serverId: string, topic: string, message: unknown): void;
  /** To each other server, also to one that only starts: what it reads meanwhile would be old. */
  broadcast(topic: string, message: unknown): void;
  /** Rejects with `NoAnswer`. */
  request(serverId: string, topic: string, message: unknown, withinMs?: number): Promise<unknown>;
  /** One receiver for each topic. */
  onMessage<Message>(topic: string, receive: (message: Message, from: string) => void): void;
  /** Nothing is answered while this server is not live. */
  onRequest<Message>(topic: string, answer: (message: Message, from: string) => Promise<unknown>): void;
  /** Messages of that server were lost, or it is new. */
  onGap(call: (from: string) => void): void;
  /** Since the last message of that server, or since it is known; 0 if it is not known. */
  silentMs(serverId: string): number;
  close(): void;
}

/** For a server that is alone. */
export function makeNoLinks(): Links {
  return {
    isConnected: true,
    send: () => undefined,
    broadcast: () => undefined,
    request: async () => {
      throw new NoAnswer("there is no other server");
    },
    onMessage: () => undefined,
    onRequest: () => undefined,
    onGap: () => undefined,
    silentMs: () => 0,
    close: () => undefined,
  };
}

interface LinksDeps {
  readonly carrier: Carrier;
  readonly own: Pick<OwnServer, "id" | "isLive" | "others" | "onRenewed" | "onEnded" | "onOthersChanged">;
  readonly secret: string;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Of the subjects: servers of another installation must not hear these. */
  readonly prefix: string;
}

interface Peer {
  sentSeq: number;
  /** Null: nothing was received yet. */
  receivedSeq: number | null;
  heardMs: number;
}

interface Request {
  readonly to: string;
  readonly resolve: (message: unknown) => void;
  readonly reject: (reason: NoAnswer) => void;
  readonly cancel: Cancel;
}

type Receiver = (message: unknown, from: string) => void;
type Answerer = (message: unknown, from: string) => Promise<unknown>;

const ANSWER_MS_MAX = 2_000;
/** An envelope of each pair, also without messages, so that the loss of the last one shows. */
const COUNT_EVERY_MS = 500;

export function openLinks(deps: LinksDeps): Links {
  const { carrier, own, time, wheel, log, prefix } = deps;
  const seal = openSeal(deps.secret);
  const outbox = new Outbox(write);
  const receivers = new Map<string, Receiver>();
  const answerers = new Map<string, Answerer>();
  const gapListeners: ((from: string) => void)[] = [];
  /** What ended is never heard again. Unknown ones have started since the last reading. */
  const ended = new Set<string>();
  const peers = new Map<string, Peer>();
  const requests = new Map<number, Request>();
  let lastRequest = 0;
  const gaps = deps.metrics.counter("holo_link_gaps_total", "Times that messages of another server were lost");
  const refused = deps.metrics.counter(
    "holo_link_refused_total",
    "Messages refused: forged, repeated or of an ended server",
  );

  function findPeer(serverId: string): Peer {
    const known = peers.get(serverId);
    if (known !== undefined) return known;
    const peer = { sentSeq: 0, receivedSeq: null, heardMs: time.monotonicMs() };
    peers.set(serverId, peer);
    return peer;
  }

  function write(to: string, items: readonly string[]): void {
    if (ended.has(to)) return;
    const peer = findPeer(to);
    peer.sentSeq += 1;
    carrier.publish(`${prefix}.${to}`, seal.seal(own.id, to, peer.sentSeq, items));
  }

  function post(to: string, item: Item): void {
    outbox.add(to, JSON.stringify(item));
  }

  function receive(text: string): void {
    const envelope = seal.open(text);
    if (envelope === null || envelope.to !== own.id || ended.has(envelope.from)) return refused.inc();
    const peer = findPeer(envelope.from);
    const lastSeq = peer.receivedSeq;
    if (lastSeq !== null && envelope.seq <= lastSeq) return refused.inc();
    peer.receivedSeq = envelope.seq;
    peer.heardMs = time.monotonicMs();
    // Before what it holds, which may follow from what was lost.
    if (envelope.seq - 1 !== lastSeq) noteGap(envelope.from, lastSeq !== null);
    for (const item of envelope.items) attempt(() => take(envelope, item));
  }

  function noteGap(from: string, isLoss: boolean): void {
    if (isLoss) gaps.inc();
    for (const call of gapListeners) attempt(() => call(from));
  }

  /** The other messages must not be lost with one that fails. */
  function attempt(run: () => void): void {
    try {
      run();
    } catch (err) {
      log.error({ err }, "a message of another server could not be handled");
    }
  }

  function take({ from }: Envelope, item: Item): void {
    if ("answer" in item) return settle(item, from);
    if (item.ask === undefined) return receivers.get(item.topic)?.(item.message, from);
    if (own.isLive()) void answer(from, item.ask, item.topic, item.message);
  }

  async function answer(from: string, ask: number, topic: string, message: unknown): Promise<void> {
    try {
      const find = answerers.get(topic);
      if (find === undefined) throw new Error(`nothing answers ${topic}`);
      const found = await find(message, from);
      if (own.isLive()) post(from, { answer: ask, message: found });
    } catch (err) {
      log.error({ err }, "a request of another server failed");
      post(from, { answer: ask, hasFailed: true });
    }
  }

  function settle(item: Extract<Item, { readonly answer: number }>, from: string): void {
    const request = requests.get(item.answer);
    if (request === undefined || request.to !== from) return;
    requests.delete(item.answer);
    request.cancel();
    if ("hasFailed" in item) request.reject(new NoAnswer("the other server failed"));
    else request.resolve(item.message);
  }

  function giveUp(isLost: (request: Request) => boolean, reason: string): void {
    for (const [id, request] of requests) {
      if (!isLost(request)) continue;
      requests.delete(id);
      request.cancel();
      request.reject(new NoAnswer(reason));
    }
  }

  let unsubscribe = carrier.subscribe(`${prefix}.${own.id}`, receive);
  own.onRenewed(() => {
    unsubscribe();
    unsubscribe = carrier.subscribe(`${prefix}.${own.id}`, receive);
    outbox.clear();
    peers.clear();
    for (const serverId of own.others()) findPeer(serverId);
    giveUp(() => true, "this server goes on under another id");
  });
  own.onEnded(({ serverId }) => {
    ended.add(serverId);
    peers.delete(serverId);
    giveUp(({ to }) => to === serverId, "the other server has ended");
  });
  const meetOthers = (): void => own.others().forEach(findPeer);
  own.onOthersChanged(meetOthers);
  meetOthers();

  function count(): void {
    outbox.send();
    for (const serverId of peers.keys()) write(serverId, []);
    cancelCount = wheel.schedule(time.monotonicMs() + COUNT_EVERY_MS, count);
  }
  let cancelCount = wheel.schedule(time.monotonicMs() + COUNT_EVERY_MS, count);

  return {
    get isConnected() {
      return carrier.isConnected;
    },
    send: (serverId, topic, message) => post(serverId, { topic, message }),
    broadcast(topic, message) {
      const text = JSON.stringify({ topic, message } satisfies Item);
      // Also to one that was heard before it was read: it would miss this one without a gap.
      for (const serverId of peers.keys()) outbox.add(serverId, text);
    },
    request(to, topic, message, withinMs = ANSWER_MS_MAX) {
      if (!carrier.isConnected || ended.has(to)) return Promise.reject(new NoAnswer("the other server is unreachable"));
      lastRequest += 1;
      const id = lastRequest;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const cancel = wheel.schedule(time.monotonicMs() + withinMs, () => {
        requests.delete(id);
        reject(new NoAnswer("the other server did not answer in time"));
      });
      requests.set(id, { to, resolve, reject, cancel });
      post(to, { topic, message, ask: id });
      return promise;
    },
    onMessage: (topic, call) => void receivers.set(topic, call as Receiver),
    onRequest: (topic, find) => void answerers.set(topic, find as Answerer),
    onGap: (call) => void gapListeners.push(call),
    silentMs(serverId) {
      const peer = peers.get(serverId);
      return peer === undefined ? 0 : time.monotonicMs() - peer.heardMs;
    },
    close() {
      cancelCount();
      unsubscribe();
      outbox.send();
      giveUp(() => true, "this server stops");
    },
  };
}
