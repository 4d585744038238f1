import type { IncomingMessage } from "node:http";
import { FairTurns, type Job, toTurnSource } from "../../platform/fair-turns.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { makeRateLimiter, type RateLimit, type RateLimiter } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Proxies, toClientAddress } from "../http/client-address.ts";
import { Meter, type Source } from "./meter.ts";

/** Prices, in units of a frame. The database does most of a route's work, and all of a read's. */
export const COST = { frame: 1, request: 2, route: 5, socket: 10, read: 10, wastedFrame: 20, flood: 500 } as const;

export interface AdmissionLimits {
  readonly perKnown: RateLimit;
  /** Of all strangers of a network address. */
  readonly perAddress: RateLimit;
  readonly perConnectionOfKnown: RateLimit;
  readonly perConnectionOfStranger: RateLimit;
  readonly connectionsPerKnownMax: number;
  readonly connectionsPerAddressMax: number;
  /** Connections of all strangers. */
  readonly strangersMax: number;
  /** Requests of strangers that are served at once. */
  readonly strangersAtOnceMax: number;
  readonly strangersPauseMs: number;
  /** A request that takes longer no longer counts as served at once. Default: never. */
  readonly strangersHeldMs?: number;
  /** A flooder's connection stays open for so long, so that it does not come back at once. */
  readonly holdMs: number;
}

export interface AdmissionDeps {
  readonly time: Time;
  readonly metrics: Metrics;
  readonly proxies: Proxies;
  readonly limits: AdmissionLimits;
  readonly toKnownSource: (cookie: string | undefined) => string | null;
}

/** More than a person causes: 1,000 places, each taken by a request of another address. */
const STRANGERS_WAITING_MAX = 1_000;

/**
 * Decides what is served, and when. Each source has a budget from which everything that it causes
 * is paid; strangers are served a few at a time, their addresses in turn.
 */
export class Admission {
  readonly limits: AdmissionLimits;
  readonly proxies: Proxies;
  readonly #deps: AdmissionDeps;
  readonly #ofKnown: RateLimiter;
  readonly #ofAddresses: RateLimiter;
  readonly #strangers: FairTurns;
  readonly #refused: ReturnType<Metrics["counter"]>;
  readonly #cut: ReturnType<Metrics["counter"]>;

  constructor(deps: AdmissionDeps) {
    const { time, metrics, limits, proxies } = deps;
    this.limits = limits;
    this.proxies = proxies;
    this.#deps = deps;
    this.#ofKnown = makeRateLimiter(time, limits.perKnown);
    this.#ofAddresses = makeRateLimiter(time, limits.perAddress);
    this.#strangers = new FairTurns({
      atOnceMax: limits.strangersAtOnceMax,
      waitingMax: STRANGERS_WAITING_MAX,
      pauseMs: limits.strangersPauseMs,
      heldMs: limits.strangersHeldMs,
    });
    this.#refused = metrics.counter("holo_requests_refused_total", "Requests and sockets refused by admission");
    this.#cut = metrics.counter("holo_connections_cut_total", "Connections closed by admission");
  }

  toSource({ socket, headers }: IncomingMessage): Source {
    const forwarded = headers["x-forwarded-for"];
    const newest = Array.isArray(forwarded) ? forwarded.at(-1) : forwarded;
    return this.identify({
      address: toClientAddress(socket.remoteAddress, newest, this.proxies),
      cookie: headers.cookie,
    });
  }

  identify({ address, cookie }: { readonly address: string; readonly cookie: string | undefined }): Source {
    const known = this.#deps.toKnownSource(cookie);
    return { key: known ?? address, address, isKnown: known !== null };
  }

  /** False if the budget of the source is used up. The last one that is served may overdraw it. */
  trySpend(source: Source, cost: number): boolean {
    const budgets = this.#budgetsOf(source);
    if (!budgets.hasToken(source.key)) return false;
    budgets.charge(source.key, cost);
    return true;
  }

  /** Takes a cost that is known only afterwards. */
  charge(source: Source, cost: number): void {
    this.#budgetsOf(source).charge(source.key, cost);
  }

  /** Starts the job at once if its source is known and asks for little, else in its turn. */
  serve(source: Source, job: Job): void {
    const { key, address, isKnown } = source;
    const isModest = isKnown && this.#ofKnown.hasToken(key, this.limits.perKnown.burst / 2);
    if (isModest) job.start(() => undefined);
    else this.#strangers.add(isKnown ? key : toTurnSource(address), job);
  }

  openMeter(source: Source): Meter {
    return new Meter(this, source, this.#deps.time.monotonicMs);
  }

  countRefused(): void {
    this.#refused.inc();
  }

  countCut(): void {
    this.#cut.inc();
  }

  #budgetsOf({ isKnown }: Source): RateLimiter {
    return isKnown ? this.#ofKnown : this.#ofAddresses;
  }
}
