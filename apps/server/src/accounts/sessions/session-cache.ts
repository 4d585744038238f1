import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import { makeBatchLoader } from "../../platform/batch-loader.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Player } from "../profiles/profiles-store.ts";

export interface PlayerSession {
  /** Secret. Identifies the session to `checkSessions`. */
  readonly token: string;
  readonly player: Player;
}

export interface LivePlayerSession extends PlayerSession {
  readonly endsAt: Instant;
}

/**
 * The sessions of sockets. On a bad network a page reconnects every few seconds, and after a
 * restart all pages connect at once. HTTP requests always query the database.
 */
export interface SessionCache {
  find(token: string): Promise<PlayerSession | null>;
  /** Drops all sessions of the player: at least one has ended. */
  forgetPlayer(playerId: PlayerId): void;
  /** Sessions of any player may have ended. */
  forgetAll(): void;
  forget(tokens: readonly string[]): void;
}

interface Kept {
  readonly session: PlayerSession;
  readonly untilAt: Instant;
}

/** Covers pages that reconnect, and bounds the life of a session deleted in the database. */
const KEPT_MS = 30 * SECOND_MS;
const KEPT_MAX = 50_000;
const LOADED_AT_ONCE = 250;
const ANYONE = Symbol("anyone");

export function openSessionCache(
  time: Pick<Time, "now">,
  loadSessions: (tokens: readonly string[]) => Promise<readonly LivePlayerSession[]>,
): SessionCache {
  /** The oldest first. */
  const kept = new Map<string, Kept>();
  const tokensOf = new Map<PlayerId, readonly string[]>();
  /** Per query in flight: players whose sessions ended since it began. */
  const loading = new Set<Set<PlayerId | typeof ANYONE>>();

  function keep({ endsAt, ...session }: LivePlayerSession): PlayerSession {
    const { token, player } = session;
    remove(token);
    const untilAt = toInstant(Math.min(endsAt, addMs(time.now(), KEPT_MS)));
    kept.set(token, { session, untilAt });
    tokensOf.set(player.id, (tokensOf.get(player.id) ?? []).concat(token));
    return session;
  }

  function remove(token: string): void {
    const playerId = kept.get(token)?.session.player.id;
    if (playerId === undefined) return;
    kept.delete(token);
    const left = (tokensOf.get(playerId) ?? []).filter((other) => other !== token);
    if (left.length > 0) tokensOf.set(playerId, left);
    else tokensOf.delete(playerId);
  }

  function removeOld(): void {
    const now = time.now();
    for (const [token, { untilAt }] of kept) {
      if (untilAt > now && kept.size <= KEPT_MAX) return;
      remove(token);
    }
  }

  /** Loads a session again if one of its player ended during the query. */
  async function load(tokens: readonly string[]): Promise<Map<string, PlayerSession>> {
    const ended = new Set<PlayerId | typeof ANYONE>();
    loading.add(ended);
    const found = await loadSessions(tokens).finally(() => loading.delete(ended));
    const isDoubtful = ({ player }: PlayerSession): boolean => ended.has(player.id) || ended.has(ANYONE);
    const doubtful = found.filter(isDoubtful).map(({ token }) => token);
    const sessions = doubtful.length === 0 ? new Map<string, PlayerSession>() : await load(doubtful);
    for (const one of found) if (!isDoubtful(one)) sessions.set(one.token, keep(one));
    removeOld();
    return sessions;
  }

  const loadOne = makeBatchLoader(load, LOADED_AT_ONCE);

  return {
    async find(token) {
      const known = kept.get(token);
      return known !== undefined && known.untilAt > time.now() ? known.session : await loadOne(token);
    },
    forgetPlayer(playerId) {
      for (const ended of loading) ended.add(playerId);
      for (const token of tokensOf.get(playerId) ?? []) remove(token);
    },
    forgetAll() {
      for (const ended of loading) ended.add(ANYONE);
      kept.clear();
      tokensOf.clear();
    },
    forget(tokens) {
      for (const token of tokens) remove(token);
    },
  };
}
