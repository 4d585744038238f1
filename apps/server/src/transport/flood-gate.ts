import type { IncomingMessage } from "node:http";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { makeRateLimiter, type RateLimit } from "../platform/rate-limiter.ts";
import type { Time } from "../platform/time/time.ts";
import { isTrustedProxy, type Proxies, toClientAddress } from "./http/client-address.ts";
import { KNOWN_PER_ADDRESS } from "./http/request-limits.ts";

/**
 * Refuses floods before they cost anything: a wasteful source is shut out for a while, a persistent
 * address loses its connections. A session or known device counts separately.
 */
export interface FloodGate {
  toSource(request: IncomingMessage): Source;
  /** Counts one request; false if the source is shut out or sends too many. */
  tryEnter(source: Source): boolean;
  /** Counts a request that has entered; false if it waits with those of visitors. */
  tryPass(source: Source): boolean;
  /** Counts wasted work. Above the limit the source is shut out. */
  noteWaste(source: Source, amount: number): void;
  noteRefusal(source: Source): void;
  /** A connection is closed for a flood. The second one within seconds shuts its source out. */
  noteFlood(source: Source): void;
  /** Counts bytes before they are parsed; false if the source sends too many. */
  tryRead(source: Source, bytes: number): boolean;
  isCutOff(remote: string | undefined): boolean;
}

export interface Source {
  /** The session or device of a signed cookie, else the network address. */
  readonly key: string;
  readonly address: string;
  readonly isKnown: boolean;
  /** Whether a trusted proxy forwards it: its connections also carry other clients. */
  readonly isProxied: boolean;
}

export interface FloodLimits {
  /** Requests of any kind and new sockets, of visitors by network address. */
  readonly requestsPerSource: RateLimit;
  /** A session's own requests, which others at its address cannot use up. */
  readonly passesPerKnown: RateLimit;
  /** Refused requests, malformed frames and the like. */
  readonly wastePerSource: RateLimit;
  /** Requests of a network address that is shut out, before it is cut off. */
  readonly refusalsPerAddress: RateLimit;
  /** Bytes beyond the few that each connection may send for itself. */
  readonly bytesPerSource: RateLimit;
  /** As `bytesPerSource`, of all visitors together. */
  readonly bytesOfVisitors: RateLimit;
}

export interface FloodGateDeps {
  readonly time: Time;
  readonly metrics: Metrics;
  readonly proxies: Proxies;
  readonly limits: FloodLimits;
  readonly toKnownSource: (cookie: string | undefined) => string | null;
}

/** Long enough to make a flood cheap, short enough for the others behind the same address. */
const SHUT_MS = 10_000;
const CUT_OFF_MS = 5_000;
const KEYS_MAX = 50_000;
const FLOOD_WASTE = 60;
const ALL_VISITORS = "";

export function openFloodGate(deps: FloodGateDeps): FloodGate {
  const { time, metrics, proxies, limits, toKnownSource } = deps;
  const requests = makeRateLimiter(time, limits.requestsPerSource);
  const { burst, refillMs } = limits.requestsPerSource;
  const ofKnown = { burst: burst * KNOWN_PER_ADDRESS, refillMs: refillMs / KNOWN_PER_ADDRESS };
  const requestsOfKnown = makeRateLimiter(time, ofKnown);
  const shares = makeRateLimiter(time, limits.passesPerKnown);
  const passes = makeRateLimiter(time, limits.passesPerKnown);
  const waste = makeRateLimiter(time, limits.wastePerSource);
  const refusals = makeRateLimiter(time, limits.refusalsPerAddress);
  const bytesOfSources = makeRateLimiter(time, limits.bytesPerSource);
  const bytesOfVisitors = makeRateLimiter(time, limits.bytesOfVisitors);
  const shut = makeTimedSet(time, SHUT_MS);
  const cutOff = makeTimedSet(time, CUT_OFF_MS);
  const refused = metrics.counter("holo_requests_refused_total", "Requests and sockets refused by the flood gate");
  const closed = metrics.counter("holo_connections_cut_total", "Connections closed on opening by the flood gate");

  function noteWaste({ key }: Source, amount: number): void {
    waste.charge(key, amount - 1);
    if (!waste.tryAcquire(key)) shut.add(key);
  }

  function notePersistence({ address, isKnown, isProxied }: Source): void {
    if (!isKnown && !isProxied && !refusals.tryAcquire(address)) cutOff.add(address);
  }

  function noteRefusal(source: Source): void {
    refused.inc();
    notePersistence(source);
  }

  /** A session uses up its own share first, then the common limit of its address. */
  function tryShared({ key, address, isKnown }: Source): boolean {
    return !isKnown || shares.tryAcquire(key) || requestsOfKnown.tryAcquire(address);
  }

  return {
    toSource(request) {
      const { remoteAddress } = request.socket;
      const forwarded = request.headers["x-forwarded-for"];
      const address = toClientAddress(remoteAddress, Array.isArray(forwarded) ? forwarded.at(-1) : forwarded, proxies);
      const known = toKnownSource(request.headers.cookie);
      return {
        key: known ?? address,
        address,
        isKnown: known !== null,
        isProxied: isTrustedProxy(remoteAddress, proxies),
      };
    },
    tryEnter(source) {
      if (shut.has(source.key)) {
        noteRefusal(source);
        return false;
      }
      const isWithinOwn = requests.tryAcquire(source.key);
      if (isWithinOwn && tryShared(source)) return true;
      // A session within its own limit is not to blame: others used up the limit of the address.
      if (!isWithinOwn) noteWaste(source, 1);
      noteRefusal(source);
      return false;
    },
    tryPass: ({ key, isKnown }) => isKnown && passes.tryAcquire(key),
    noteWaste,
    noteRefusal,
    noteFlood(source) {
      noteWaste(source, FLOOD_WASTE);
      notePersistence(source);
    },
    tryRead({ key, isKnown }, bytes) {
      bytesOfSources.charge(key, bytes);
      if (!bytesOfSources.hasToken(key)) return false;
      if (isKnown) return true;
      bytesOfVisitors.charge(ALL_VISITORS, bytes);
      return bytesOfVisitors.hasToken(ALL_VISITORS);
    },
    isCutOff(remote) {
      const isRefused = cutOff.size() > 0 && cutOff.has(toClientAddress(remote, undefined, proxies));
      if (isRefused) closed.inc();
      return isRefused;
    },
  };
}

interface TimedSet {
  add(key: string): void;
  has(key: string): boolean;
  size(): number;
}

/** Keys that expire; the oldest are dropped early if there are too many. */
function makeTimedSet(time: Time, lifeMs: number): TimedSet {
  const until = new Map<string, number>();
  return {
    add(key) {
      until.delete(key);
      until.set(key, time.monotonicMs() + lifeMs);
      const oldest = until.size > KEYS_MAX ? until.keys().next() : undefined;
      if (oldest?.done === false) until.delete(oldest.value);
    },
    has(key) {
      const endMs = until.get(key);
      if (endMs === undefined) return false;
      if (endMs > time.monotonicMs()) return true;
      until.delete(key);
      return false;
    },
    size: () => until.size,
  };
}
