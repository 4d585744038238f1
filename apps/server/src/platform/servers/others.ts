import { addMs } from "@holo/kernel/instant.ts";
import type pg from "pg";
import type { Log } from "../log.ts";
import { isGone } from "../process-identity.ts";
import type { Time } from "../time/time.ts";
import { Counters, ENDED_AFTER_MS } from "./counters.ts";
import {
  type EndedServer,
  endServer,
  type Reading,
  type RunningServer,
  terminateSessionsOfEnded,
} from "./server-rows.ts";

interface OthersDeps {
  readonly time: Time;
  readonly log: Log;
  /** Of this server. */
  readonly process: string;
}

/** Twice the pause between two beats, and their way. */
const BEATING_MS_MAX = 1_500;
/** An ended process that runs needs a moment to see it; then its sessions are terminated. */
const SESSIONS_LEFT_MS = 500;

/** The other servers of the database. Each one whose counter does not change is ended, once. */
export class Others {
  readonly #deps: OthersDeps;
  readonly #counters = new Counters();
  readonly #endedListeners: ((ended: EndedServer) => void)[] = [];
  readonly #changedListeners: (() => void)[] = [];
  #running = new Map<string, RunningServer>();
  #beating: readonly RunningServer[] = [];
  #ids: readonly string[] = [];
  #leftSessions: readonly { readonly process: string; readonly endedMs: number }[] = [];

  constructor(deps: OthersDeps) {
    this.#deps = deps;
  }

  /** Those that have beaten a moment ago. */
  beating(): readonly RunningServer[] {
    return this.#beating;
  }

  /** All that have not ended, by the last reading. */
  ids(): readonly string[] {
    return this.#ids;
  }

  onEnded(call: (ended: EndedServer) => void): void {
    this.#endedListeners.push(call);
  }

  onChanged(call: () => void): void {
    this.#changedListeners.push(call);
  }

  async take(client: pg.ClientBase, reading: Reading, sentMs: number, receivedMs: number): Promise<void> {
    const isOwn = ({ process }: RunningServer): boolean => process === this.#deps.process;
    const others = reading.running.filter((server) => !isOwn(server));
    this.#running = new Map(others.map((server) => [server.serverId, server]));
    const stillness = this.#counters.read(
      others.map(({ serverId, beats }) => [serverId, beats]),
      sentMs,
      receivedMs,
    );
    this.#beating = others.filter(({ serverId }) => stillness.get(serverId)!.unchangedMs < BEATING_MS_MAX);
    this.#noteChanges();
    for (const ended of reading.ended) this.#noteEnded(ended);
    for (const server of reading.running) {
      const { unchangedMs, stillMs } = stillness.get(server.serverId) ?? { unchangedMs: 0, stillMs: 0 };
      // Own: an id of this process whose renewal was not answered.
      const isDead = isOwn(server) || stillMs >= ENDED_AFTER_MS || isGone(server.place);
      // One a round, so that a row that is locked does not keep this server from beating.
      if (isDead) return await this.#end(client, server, unchangedMs);
    }
    await this.#terminateLeftSessions(client);
  }

  async #end(client: pg.ClientBase, server: RunningServer, unchangedMs: number): Promise<void> {
    const { time, log } = this.#deps;
    const endedAt = time.now();
    const firstReadAt = addMs(endedAt, -Math.round(Math.max(0, unchangedMs)));
    const isKnownGone = isGone(server.place);
    const ended = await endServer(client, {
      ...server,
      endedAt,
      // Its clock is this machine's. What this server first read may be much later, after a pause.
      lastBeatAt: isKnownGone && server.seenAt < firstReadAt ? server.seenAt : firstReadAt,
      cause: isKnownGone ? "gone" : null,
    });
    if (ended === null) return;
    log.warn({ server: server.serverId, cause: ended.cause }, "another server ended without a shutdown");
    this.#leftSessions = [...this.#leftSessions, { process: server.process, endedMs: time.monotonicMs() }];
    this.#running.delete(server.serverId);
    this.#noteChanges();
    this.#noteEnded(ended);
  }

  async #terminateLeftSessions(client: pg.ClientBase): Promise<void> {
    const nowMs = this.#deps.time.monotonicMs();
    const isDue = ({ endedMs }: { readonly endedMs: number }): boolean => nowMs - endedMs >= SESSIONS_LEFT_MS;
    for (const { process } of this.#leftSessions.filter(isDue)) await terminateSessionsOfEnded(client, process);
    this.#leftSessions = this.#leftSessions.filter((one) => !isDue(one));
  }

  #noteChanges(): void {
    const before = this.#ids;
    this.#ids = [...this.#running.keys()];
    if (before.length === this.#ids.length && before.every((id) => this.#running.has(id))) return;
    for (const call of this.#changedListeners) call();
  }

  #noteEnded(ended: EndedServer): void {
    for (const call of this.#endedListeners) call(ended);
  }
}
