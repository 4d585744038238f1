import type { IncomingMessage } from "node:http";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { makeRateLimiter, type RateLimit } from "../platform/rate-limiter.ts";
import type { Time } from "../platform/time/time.ts";
import { isTrusted, type Proxies, toClientAddress } from "./http/client-address.ts";
import { KNOWN_PER_ADDRESS } from "./http/request-limits.ts";

/**
 * Turns floods away before they cost anything. A source that keeps wasting work is shut out for a
 * while; a network address that does not stop loses its connections as they open.
 *
 * Many players share one network address, so a session or known device counts for itself.
 */
export interface FloodGate {
  toSource(request: IncomingMessage): Source;
  /** Counts one request; false if the source is shut out or sends too many. */
  tryEnter(source: Source): boolean;
  /** Counts a request that has entered; false if it waits with those of strangers. */
  tryPass(source: Source): boolean;
  /** Counts work that was for nothing. Above the limit the source is shut out. */
  noteWaste(source: Source, amount: number): void;
  /** Counts a request that was refused before any work. */
  noteRefusal(source: Source): void;
  /** Whether a connection from this peer is closed as it opens. */
  isCutOff(remote: string | undefined): boolean;
}

export interface Source {
  /** The session or device of a signed cookie, else the network address. */
  readonly key: string;
  /** The client's network address. */
  readonly address: string;
  /** Whether it has a correctly signed cookie. */
  readonly isKnown: boolean;
  /** Whether a trusted proxy carries it: its connections belong to others too. */
  readonly isProxied: boolean;
}

export interface FloodLimits {
  /** Requests of any kind and new sockets, of strangers by network address. */
  readonly requestsPerSource: RateLimit;
  /** Requests and sockets of a session or known device that wait for no stranger. */
  readonly passesPerKnown: RateLimit;
  /** Refused requests, malformed frames and the like. */
  readonly wastePerSource: RateLimit;
  /** Requests of a network address that is shut out, before it is cut off. */
  readonly refusalsPerAddress: RateLimit;
}

export interface FloodGateDeps {
  readonly time: Time;
  readonly metrics: Metrics;
  readonly proxies: Proxies;
  readonly limits: FloodLimits;
  /** The session or device that a correctly signed cookie names. */
  readonly toKnownSource: (cookie: string | undefined) => string | null;
}

/** Long enough to make a flood cheap, short enough for the others behind the same address. */
const SHUT_MS = 10_000;
const CUT_OFF_MS = 5_000;
const KEYS_MAX = 50_000;

export function openFloodGate(deps: FloodGateDeps): FloodGate {
  const { time, metrics, proxies, limits, toKnownSource } = deps;
  const requests = makeRateLimiter(time, limits.requestsPerSource);
  const { burst, refillMs } = limits.requestsPerSource;
  const ofKnown = { burst: burst * KNOWN_PER_ADDRESS, refillMs: refillMs / KNOWN_PER_ADDRESS };
  const requestsOfKnown = makeRateLimiter(time, ofKnown);
  const passes = makeRateLimiter(time, limits.passesPerKnown);
  const waste = makeRateLimiter(time, limits.wastePerSource);
  const refusals = makeRateLimiter(time, limits.refusalsPerAddress);
  const shut = makeTimedSet(time, SHUT_MS);
  const cutOff = makeTimedSet(time, CUT_OFF_MS);
  const refused = metrics.counter("holo_requests_refused_total", "Requests and sockets that the flood gate refused");
  const closed = metrics.counter("holo_connections_cut_total", "Connections that the flood gate closed as they opened");

  function noteWaste({ key }: Source, amount: number): void {
    waste.charge(key, amount - 1);
    if (!waste.tryAcquire(key)) shut.add(key);
  }

  function noteRefusal({ address, isKnown, isProxied }: Source): void {
    refused.inc();
    if (!isKnown && !isProxied && !refusals.tryAcquire(address)) cutOff.add(address);
  }

  return {
    toSource(request) {
      const { remoteAddress } = request.socket;
      const forwarded = request.headers["x-forwarded-for"];
      const address = toClientAddress(remoteAddress, Array.isArray(forwarded) ? forwarded.at(-1) : forwarded, proxies);
      const known = toKnownSource(request.headers.cookie);
      return { key: known ?? address, address, isKnown: known !== null, isProxied: isTrusted(remoteAddress, proxies) };
    },
    tryEnter(source) {
      if (shut.has(source.key)) {
        noteRefusal(source);
        return false;
      }
      const hasRoom = !source.isKnown || requestsOfKnown.tryAcquire(source.address);
      if (hasRoom && requests.tryAcquire(source.key)) return true;
      noteWaste(source, 1);
      noteRefusal(source);
      return false;
    },
    tryPass: ({ key, isKnown }) => isKnown && passes.tryAcquire(key),
    noteWaste,
    noteRefusal,
    isCutOff(remote) {
      // A connection of a trusted proxy is never refused: its address is never added.
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

/** Keys that leave by themselves; the oldest leave early if there are too many. */
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
