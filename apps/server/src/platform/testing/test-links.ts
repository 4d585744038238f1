import { toInstant } from "@holo/kernel/instant.ts";
import { openMetrics } from "../metrics/metrics.ts";
import { type Links, openLinks } from "../servers/links.ts";
import type { Carrier } from "../servers/nats.ts";
import type { OwnServer } from "../servers/own-server.ts";
import type { Time } from "../time/time.ts";
import type { TimerWheel } from "../time/timer-wheel.ts";
import { openTestLog } from "./test-log.ts";

interface Subscription {
  readonly carrier: TestCarrier;
  readonly subject: string;
  readonly receive: (text: string) => void;
}

export interface TestCarrier extends Carrier {
  /** While true it sends and receives nothing. */
  isCut: boolean;
}

/** The NATS of a test: in this process, and with faults. */
export class TestNetwork {
  /** While true every message is lost. */
  isLosing = false;
  /** While true messages wait for `deliver`. */
  isHolding = false;
  /** Everything that was published, also what was lost. */
  readonly published: { readonly subject: string; readonly text: string }[] = [];
  readonly #subscriptions = new Set<Subscription>();
  #held: (() => void)[] = [];

  open(): TestCarrier {
    const carrier: TestCarrier = {
      isCut: false,
      get isConnected() {
        return !carrier.isCut;
      },
      publish: (subject, text) => {
        this.published.push({ subject, text });
        if (this.isLosing || carrier.isCut) return;
        const deliver = (): void => this.inject(subject, text);
        if (this.isHolding) this.#held.push(deliver);
        else deliver();
      },
      subscribe: (subject, receive) => {
        const one = { carrier, subject, receive };
        this.#subscriptions.add(one);
        return () => void this.#subscriptions.delete(one);
      },
      close: async () => undefined,
    };
    return carrier;
  }

  /** As anyone may who reaches NATS. */
  inject(subject: string, text: string): void {
    for (const { carrier, subject: wanted, receive } of this.#subscriptions)
      if (wanted === subject && !carrier.isCut) receive(text);
  }

  /** Delivers what was held, in order. */
  deliver(): void {
    this.isHolding = false;
    for (const deliver of this.#held.splice(0)) deliver();
  }
}

type LinkedServer = Pick<OwnServer, "id" | "isLive" | "others" | "onRenewed" | "onEnded" | "onOthersChanged">;

/** What links know of a server, without a database. */
export interface BareServer extends LinkedServer {
  readonly isShared: true;
  setLive(isLive: boolean): void;
  setOthers(ids: readonly string[]): void;
  /** One of the others has ended. */
  noteEnded(serverId: string): void;
  renew(id: string): void;
}

export function makeBareServer(firstId: string, firstOthers: readonly string[] = []): BareServer {
  const renewed: (() => void)[] = [];
  const ended: Parameters<OwnServer["onEnded"]>[0][] = [];
  const changed: (() => void)[] = [];
  let [id, others, isLive] = [firstId, firstOthers, true];
  const server: BareServer = {
    isShared: true,
    get id() {
      return id;
    },
    isLive: () => isLive,
    others: () => others,
    onRenewed: (call) => void renewed.push(call),
    onEnded: (call) => void ended.push(call),
    onOthersChanged: (call) => void changed.push(call),
    setLive(live) {
      isLive = live;
    },
    setOthers(ids) {
      others = ids;
      for (const call of changed) call();
    },
    noteEnded(serverId) {
      server.setOthers(others.filter((other) => other !== serverId));
      for (const call of ended) call({ serverId, lastBeatAt: EPOCH, endedAt: EPOCH, cause: "gone" });
    },
    renew(next) {
      id = next;
      for (const call of renewed) call();
    },
  };
  return server;
}

const EPOCH = toInstant(0);
const SECRET = "the secret of all servers of a test";

export type TestLinks = Links & { readonly carrier: TestCarrier };

export interface TestLinksDeps {
  readonly network: TestNetwork;
  readonly own: LinkedServer;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly secret?: string;
}

/** The links of one server of a test to the others of its network. */
export function makeTestLinks({ network, own, time, wheel, secret = SECRET }: TestLinksDeps): TestLinks {
  const carrier = network.open();
  const metrics = openMetrics({ process: false });
  const links = openLinks({ carrier, own, secret, time, wheel, log: openTestLog(), metrics, prefix: "test" });
  return Object.assign(links, { carrier });
}
