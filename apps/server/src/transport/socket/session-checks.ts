import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { Accounts, AccountTopics, SessionClaim } from "../../accounts/accounts.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Broadcast } from "./broadcast.ts";
import type { Connection } from "./connection.ts";

/** Closes sockets whose session has ended: at once on an event, else within seconds. */
export interface SessionChecks {
  whenChecked(connection: Connection, action: () => void): void;
  isLive(connection: Connection): Promise<boolean>;
  claimSession(connection: Connection): SessionClaim | null;
  stop(): void;
}

interface SessionChecksDeps {
  readonly accounts: Pick<Accounts, "checkSessions" | "claimSession" | "recordSeen">;
  readonly broadcast: Broadcast;
  readonly bus: Bus<AccountTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
}

const CHECK_EVERY_MS = 5_000;
const CHECKED_AT_ONCE = 500;
const SEEN_EVERY_MS = 60_000;

export function openSessionChecks(deps: SessionChecksDeps): SessionChecks {
  const { accounts, broadcast, bus, time, wheel, log } = deps;
  const pending = new Map<Connection, Promise<void>>();
  let isStopped = false;
  let seenMs = time.monotonicMs();
  let cancel = wheel.schedule(time.monotonicMs() + CHECK_EVERY_MS, checkRegularly);
  let isChecking = false;
  const unsubscribe = bus.subscribe("sessions_ended", ({ playerId }) => {
    if (playerId !== null) checkPlayer(playerId);
    else if (!isChecking) checkEarly();
  });

  function checkEarly(): void {
    cancel();
    checkRegularly();
  }

  function checkRegularly(): void {
    isChecking = true;
    checkAll()
      .catch((err) => log.error({ err }, "the sessions of open sockets could not be checked"))
      .finally(() => {
        isChecking = false;
        if (!isStopped) cancel = wheel.schedule(time.monotonicMs() + CHECK_EVERY_MS, checkRegularly);
      });
  }

  /** In batches: reading one answer for all connections would delay moves. */
  async function checkAll(): Promise<void> {
    const recordsSeen = time.monotonicMs() - seenMs >= SEEN_EVERY_MS;
    if (recordsSeen) seenMs = time.monotonicMs();
    const open = [...broadcast.all()].filter(({ sessionToken }) => sessionToken !== null);
    for (let from = 0; from < open.length; from += CHECKED_AT_ONCE) {
      const live = await closeEnded(open.slice(from, from + CHECKED_AT_ONCE));
      if (recordsSeen) await accounts.recordSeen([...live]);
    }
  }

  async function closeEnded(connections: readonly Connection[]): Promise<ReadonlySet<string>> {
    const live = await accounts.checkSessions([...new Set(connections.map(({ sessionToken }) => sessionToken!))]);
    for (const connection of connections) {
      if (live.has(connection.sessionToken!)) continue;
      connection.send(JSON.stringify({ type: "session_ended" } satisfies ServerFrame));
      connection.close(CLOSE.sessionEnded);
    }
    return live;
  }

  /** From now on no action is taken for an ended session of the player. */
  function checkPlayer(playerId: PlayerId): void {
    const own = broadcast.ofPlayer(playerId);
    if (own.length === 0) return;
    const check: Promise<void> = closeEnded(own).then(
      () => clear(own, check),
      (err) => {
        log.error({ err }, "a player's sessions could not be checked");
        // A client that reconnects is checked again.
        for (const connection of own) connection.close(CLOSE.faulty);
        clear(own, check);
      },
    );
    for (const connection of own) pending.set(connection, check);
  }

  function clear(connections: readonly Connection[], check: Promise<void>): void {
    for (const connection of connections) if (pending.get(connection) === check) pending.delete(connection);
  }

  return {
    whenChecked(connection, action) {
      const check = pending.get(connection);
      if (check === undefined) action();
      else void check.then(action);
    },
    async isLive({ sessionToken }) {
      return sessionToken !== null && (await accounts.checkSessions([sessionToken])).has(sessionToken);
    },
    claimSession: ({ sessionToken }) => (sessionToken === null ? null : accounts.claimSession(sessionToken)),
    stop() {
      isStopped = true;
      cancel();
      unsubscribe();
    },
  };
}
