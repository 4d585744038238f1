import { pid } from "node:process";
import type { Instant } from "@holo/kernel/instant.ts";
import pg from "pg";
import { toClientConfig } from "../database/database.ts";
import { type Log, noteDatabaseAnswer } from "../log.ts";
import { findProcess } from "../process-identity.ts";
import { performance, randomUUID, sleep } from "../runtime.ts";
import type { Time } from "../time/time.ts";
import type { Fence, OwnFence } from "./fence.ts";
import { Others } from "./others.ts";
import {
  type EndedServer,
  endServer,
  insertServer,
  loadDatabaseStart,
  loadRunning,
  markServing,
  type RunningServer,
  sendBeat,
} from "./server-rows.ts";
import type { Survey } from "./survey.ts";

export type { EndedServer } from "./server-rows.ts";

/** This server as the database knows it, and what it knows of the others. */
export interface OwnServer extends OwnFence {
  readonly isShared: boolean;
  /** Changes when this server was ended or PostgreSQL was started again. */
  readonly id: string;
  /** Whether it may act: within 2 s of sending its last beat. Without NATS_URL always. */
  isLive(): boolean;
  /** The others that have started and not ended, by the last reading. */
  others(): readonly string[];
  /** Whether one of them takes players: it is not about to stop. */
  hasTaker(): boolean;
  /** Called when the new id is in force: everything of the old one must be dropped. */
  onRenewed(call: () => void): void;
  /** Called once for each other server that ended, also if another one ended it. */
  onEnded(call: (ended: EndedServer) => void): void;
  onOthersChanged(call: () => void): void;
  /** Without NATS while others have it: it acts for no one until NATS is back. */
  isIsolated(): boolean;
  /** Called at each beat while it is isolated: pages may have connected since. */
  onIsolated(call: () => void): void;
  /** When the previous boots last served; null if none did, or if another server serves now. */
  readonly previousSeenAt: Instant | null;
  /** It listens; a beat stores it at once. */
  startServing(): void;
  /** It takes no more players and hands over its own. */
  startHandover(): void;
  /** It stops listening: later beats do not count as service. */
  stopServing(): void;
  leave(): Promise<void>;
}

export interface OwnServerOptions {
  readonly connectionString: string;
  readonly log: Log;
  readonly time: Time;
  readonly name: string;
  /** Names the sessions of this process. */
  readonly process: string;
  readonly isShared: boolean;
  readonly survey: Survey;
  readonly hasNats: () => boolean;
  /** Called after each beat: the database answers. */
  readonly onBeat: () => void;
}

const BEAT_EVERY_MS = 500;
const LOOK_EVERY_MS = 100;
const LIVE_MS = 2_000;
const ISOLATED_AFTER_MS = 3_000;
const ANSWER_MS_MAX = 3_000;

/** Registers this start and beats until `leave`; `isManual`: only when told to. */
export async function joinServers(options: OwnServerOptions, isManual = false): Promise<BeatingServer> {
  const server = new BeatingServer(options);
  await server.join();
  if (isManual) return server;
  await server.untilKnown();
  server.run();
  return server;
}

export class BeatingServer implements OwnServer {
  readonly #options: OwnServerOptions;
  readonly #others: Others;
  readonly #renewedListeners: (() => void)[] = [];
  readonly #isolatedListeners: (() => void)[] = [];
  #client: pg.Client | null = null;
  #fence: Fence = { serverId: "", databaseStart: "" };
  #sentMs = Number.NEGATIVE_INFINITY;
  #withoutNatsMs: number | null = null;
  #isIsolated = false;
  #servingAt: Instant | null = null;
  #isServingStored = false;
  #takesPlayers = false;
  #stoppedAt: Instant | null = null;
  #isBeatWanted = false;
  #wake: () => void = () => undefined;
  #isLeaving = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: OwnServerOptions) {
    this.#options = options;
    this.#others = new Others(options);
  }

  get isShared(): boolean {
    return this.#options.isShared;
  }

  get id(): string {
    return this.#fence.serverId;
  }

  get previousSeenAt(): Instant | null {
    const { hasOthers, seenAt } = this.#options.survey;
    return hasOthers ? null : seenAt;
  }

  fence(): Fence {
    return this.#fence;
  }

  isLive(): boolean {
    if (!this.isShared) return true;
    return !this.#isIsolated && this.#options.time.monotonicMs() - this.#sentMs < LIVE_MS;
  }

  /** A beat finds out why, at once. */
  noteFenced(): void {
    this.#beatSoon();
  }

  others(): readonly string[] {
    return this.#others.ids();
  }

  hasTaker(): boolean {
    return this.#others.beating().some(({ takesPlayers }) => takesPlayers);
  }

  onRenewed(call: () => void): void {
    this.#renewedListeners.push(call);
  }

  onEnded(call: (ended: EndedServer) => void): void {
    this.#others.onEnded(call);
  }

  onOthersChanged(call: () => void): void {
    this.#others.onChanged(call);
  }

  isIsolated(): boolean {
    return this.#isIsolated;
  }

  onIsolated(call: () => void): void {
    this.#isolatedListeners.push(call);
  }

  startServing(): void {
    this.#servingAt = this.#options.time.now();
    this.#takesPlayers = true;
    this.#beatSoon();
  }

  startHandover(): void {
    this.#takesPlayers = false;
    this.#beatSoon();
  }

  stopServing(): void {
    this.#takesPlayers = false;
    this.#stoppedAt ??= this.#options.time.now();
  }

  async join(): Promise<void> {
    const { survey, isShared, time } = this.#options;
    if (survey.hasOthers && !isShared)
      throw new Error("servers with NATS_URL run on this database: set it here too, or stop them");
    const client = await this.#connect();
    if (!survey.hasOthers) {
      for (const dead of await loadRunning(client))
        await endServer(client, { ...dead, endedAt: time.now(), lastBeatAt: dead.seenAt, cause: "gone" });
    }
    this.#fence = await this.#register(client, await loadDatabaseStart(client));
    await this.beat();
  }

  /** Until the others have read of it: what they send from then on reaches it. */
  async untilKnown(): Promise<void> {
    const before = new Map(this.#others.beating().map(({ serverId, beats }) => [serverId, BigInt(beats)]));
    // The first beat may have been under way when this server registered.
    const isKnownTo = ({ serverId, beats }: RunningServer): boolean =>
      BigInt(beats) >= (before.get(serverId) ?? -2n) + 2n;
    while (!this.#others.beating().every(isKnownTo)) {
      await sleep(LOOK_EVERY_MS);
      await this.beat();
    }
  }

  run(): void {
    this.#loop = this.#beatUntilLeft();
  }

  /** One round: beats, reads the others and ends those that stand still. Throws if that fails. */
  async beat(): Promise<void> {
    try {
      await this.#beat(this.#client ?? (await this.#connect()));
    } catch (error) {
      this.#dropConnection();
      throw error;
    }
  }

  async leave(): Promise<void> {
    const { log, process, time } = this.#options;
    this.#isLeaving = true;
    this.#wake();
    await Promise.race([this.#loop, sleep(ANSWER_MS_MAX, undefined, { ref: false })]);
    const lastBeatAt = this.#stoppedAt ?? time.now();
    try {
      const client = this.#client ?? (await this.#connect());
      const own = { serverId: this.id, process, endedAt: time.now(), lastBeatAt, beats: null };
      await endServer(client, { ...own, cause: "stopped" });
    } catch (err) {
      log.warn({ err }, "the end could not be stored; the database is unreachable");
    }
    this.#dropConnection();
  }

  async #beat(client: pg.Client): Promise<void> {
    const { time, log, hasNats, onBeat } = this.#options;
    if (this.#servingAt !== null && !this.#isServingStored) {
      await markServing(client, this.id, this.#servingAt);
      this.#isServingStored = true;
    }
    const sentMs = time.monotonicMs();
    const reading = await sendBeat(client, {
      ...this.#fence,
      seenAt: this.#stoppedAt ?? time.now(),
      hasNats: hasNats(),
      takesPlayers: this.#takesPlayers,
      known: this.#others.ids(),
    });
    const receivedMs = time.monotonicMs();
    noteDatabaseAnswer(log);
    onBeat();
    if (reading.isAlive) this.#sentMs = sentMs;
    else await this.#renew(client);
    await this.#others.take(client, reading, sentMs, receivedMs);
    await this.#checkNats(client);
  }

  /** The old id has ended or will never serve again; its successor knows nothing of its tables. */
  async #renew(client: pg.Client): Promise<void> {
    const { log, process, time } = this.#options;
    this.#sentMs = Number.NEGATIVE_INFINITY;
    const old = this.id;
    const at = time.now();
    await endServer(client, { serverId: old, process, endedAt: at, lastBeatAt: at, cause: "stopped", beats: null });
    const sentMs = time.monotonicMs();
    const fence = await this.#register(client, await loadDatabaseStart(client));
    // No step lies between the new id and the drop of what the old one decided.
    this.#fence = fence;
    this.#sentMs = sentMs;
    log.warn(
      { server: this.id, old },
      "this server goes on under a new id: it was ended, or PostgreSQL was started again",
    );
    for (const call of this.#renewedListeners) call();
  }

  async #register(client: pg.Client, databaseStart: string): Promise<Fence> {
    const { time, hasNats, process, name, isShared } = this.#options;
    const serverId = randomUUID();
    await insertServer(client, {
      serverId,
      process,
      place: findProcess(pid),
      name,
      isShared,
      startedAt: time.now(),
      servingAt: this.#servingAt,
      hasNats: hasNats(),
      takesPlayers: this.#takesPlayers,
    });
    this.#isServingStored = this.#servingAt !== null;
    return { serverId, databaseStart };
  }

  /** Others cannot reach it, while it can write: they could not ask it for its tables. */
  async #checkNats(client: pg.Client): Promise<void> {
    const { time, hasNats, log } = this.#options;
    if (!this.isShared || hasNats()) {
      this.#withoutNatsMs = null;
      this.#isIsolated = false;
      return;
    }
    this.#withoutNatsMs ??= time.monotonicMs();
    const isLong = time.monotonicMs() - this.#withoutNatsMs >= ISOLATED_AFTER_MS;
    if (!this.#isIsolated && isLong && this.#others.beating().some((other) => other.hasNats)) {
      log.error("without NATS while other servers have it: closing all connections until it is back");
      this.#isIsolated = true;
      await this.#renew(client);
    }
    if (this.#isIsolated) for (const call of this.#isolatedListeners) call();
  }

  async #connect(): Promise<pg.Client> {
    const { connectionString, log } = this.#options;
    const config = toClientConfig({ connectionString, statementTimeoutMs: ANSWER_MS_MAX });
    const client = new pg.Client({ ...config, query_timeout: ANSWER_MS_MAX, connectionTimeoutMillis: ANSWER_MS_MAX });
    client.on("error", (err) => log.warn({ err }, "the connection that sends beats was lost"));
    await client.connect();
    // A lost beat does no harm, and what follows from an ending is written after it.
    await client.query("set synchronous_commit = off");
    this.#client = client;
    return client;
  }

  #dropConnection(): void {
    const lost = this.#client;
    this.#client = null;
    lost?.end().catch((err) => this.#options.log.debug({ err }, "the lost connection could not be closed"));
  }

  #beatSoon(): void {
    this.#isBeatWanted = true;
    this.#wake();
  }

  async #beatUntilLeft(): Promise<void> {
    const { log } = this.#options;
    while (!this.#isLeaving) {
      const startedMs = performance.now();
      this.#isBeatWanted = false;
      await this.beat().catch((err) => log.error({ err }, "a beat failed"));
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (this.#isBeatWanted || this.#isLeaving) this.#wake();
      const restMs = Math.max(0, BEAT_EVERY_MS - (performance.now() - startedMs));
      await Promise.race([woken, sleep(restMs, undefined, { ref: false })]);
    }
  }
}
