import type { PlayerId } from "@holo/kernel/ids.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { AccountPartDeps, Client } from "../account-part-deps.ts";
import { lockLimits } from "../restrictions/limits-store.ts";
import type { PlayerSession } from "./session-cache.ts";
import {
  loadLiveTokens,
  loadSession,
  loadSessions,
  RENEWED_EVERY_MS,
  removeSessionById,
  removeSessions,
  SEEN_EVERY_MS,
  type Session,
  type SessionClaim,
  type SessionRecord,
  saveRenewal,
  saveSeen,
  toSessionClaim,
} from "./sessions-store.ts";

interface SessionOwner {
  readonly playerId: PlayerId;
  readonly token: string;
}

export interface Sessions {
  /** The session of this Cookie header: one query, none for unsigned cookies. */
  findSession(cookie: string | undefined): Promise<Session | null>;
  /**
   * The player of this Cookie header, for a socket. A recently loaded session comes from memory,
   * unless sessions of its player have ended since.
   */
  findPlayerSession(cookie: string | undefined): Promise<PlayerSession | null>;
  /** Renews a session in use once a day; returns Set-Cookie headers, usually none. */
  renewSession(session: Session, client: Pick<Client, "address" | "cookie">): Promise<readonly string[]>;
  /** Which of these tokens are live: one query for all open sockets. */
  checkSessions(tokens: readonly string[]): Promise<ReadonlySet<string>>;
  /** A transaction checks the claim and holds it until its end. */
  claimSession(token: string): SessionClaim;
  recordSeen(tokens: readonly string[]): Promise<void>;
  /** The current session first. */
  listSessions(owner: SessionOwner): Promise<readonly SessionRecord[]>;
  endSession(playerId: PlayerId, id: string): Promise<void>;
  endAllSessions(playerId: PlayerId): Promise<void>;
}

export function openSessions(deps: AccountPartDeps): Sessions {
  const { database, time, sessionCookies, sessionCache, onSessionsEnded } = deps;
  return {
    async findSession(cookie) {
      const token = sessionCookies.readToken(cookie);
      const session = token === null ? null : await loadSession(database.kysely, token, time.now());
      if (session !== null && time.now() - session.seenAt >= SEEN_EVERY_MS) {
        await saveSeen(database.kysely, [session.token], time.now());
      }
      return session;
    },

    async findPlayerSession(cookie) {
      const token = sessionCookies.readToken(cookie);
      return token === null ? null : await sessionCache.find(token);
    },

    async renewSession({ token, renewedAt, player }, { address, cookie }) {
      if (time.now() - renewedAt < RENEWED_EVERY_MS) return [];
      const deviceHash = deps.devices.readHash(cookie);
      const isRenewed = await transact(database, async (tx) => {
        await lockLimits(tx, player.id);
        if (!(await saveRenewal(tx, token, time.now()))) return false;
        const at = deps.tableTime.now();
        if (deviceHash !== null) await deps.traces.record(tx, player.id, "device", deviceHash, at);
        await deps.traces.record(tx, player.id, "network", address, at);
        return true;
      });
      return isRenewed ? [sessionCookies.format(token)] : [];
    },

    async checkSessions(tokens) {
      const live = await loadLiveTokens(database.kysely, tokens, time.now());
      sessionCache.forget(tokens.filter((token) => !live.has(token)));
      return live;
    },

    claimSession: (token) => toSessionClaim(token, time.now()),

    async recordSeen(tokens) {
      await saveSeen(database.kysely, tokens, time.now());
    },

    async listSessions({ playerId, token }) {
      return await loadSessions(database.kysely, playerId, token, time.now());
    },

    async endSession(playerId, id) {
      await removeSessionById(database.kysely, playerId, id);
      onSessionsEnded(playerId);
    },

    async endAllSessions(playerId) {
      await removeSessions(database.kysely, playerId, null);
      onSessionsEnded(playerId);
    },
  };
}
