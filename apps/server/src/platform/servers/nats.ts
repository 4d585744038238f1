import { readFileSync } from "node:fs";
import { connect, credsAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { random, sleep } from "../runtime.ts";
import { NatsSubscriptions } from "./nats-subscriptions.ts";
import { SendWindow } from "./send-window.ts";

export interface Carrier {
  readonly isConnected: boolean;
  publish(subject: string, text: string): void;
  subscribe(subject: string, receive: (text: string) => void): () => void;
  close(): Promise<void>;
}

interface NatsOptions {
  readonly url: string;
  readonly credentialsFile: string | null;
  readonly name: string;
  readonly log: Log;
  readonly metrics: Metrics;
}

const RECONNECT_MS = 250;
const PING_EVERY_MS = 1_000;
const PINGS_MISSED_MAX = 2;
const CONNECT_MS_MAX = 2_000;
const FLUSH_MS_MAX = 500;

/** Connects in the background and retries forever: games continue without NATS. */
export function openNats({ url, credentialsFile, name, log, metrics }: NatsOptions): Carrier {
  const subscriptions = new NatsSubscriptions(log);
  const window = new SendWindow(log);
  const closing = Promise.withResolvers<void>();
  let connection: NatsConnection | null = null;
  let [isConnected, isClosed] = [false, false];
  const lost = metrics.counter("holo_nats_lost_total", "Messages for other servers that could not be sent");
  metrics.gauge("holo_nats_connected", "1 if this server is connected to NATS, else 0", () => (isConnected ? 1 : 0));

  function noteConnected(): void {
    isConnected = true;
    window.reset();
    log.info("connected to NATS");
  }

  async function follow(current: NatsConnection): Promise<void> {
    for await (const { type } of current.status()) {
      if (type === "disconnect" || type === "close") {
        if (isConnected) log.warn("the connection to NATS was lost");
        isConnected = false;
      }
      if (type === "reconnect") noteConnected();
    }
    isConnected = false;
  }

  async function run(): Promise<void> {
    const options = toConnectOptions(url, credentialsFile, name);
    while (!isClosed) {
      try {
        connection = await connect(options);
        if (isClosed) return await connection.close();
        subscriptions.connected(connection);
        noteConnected();
        await follow(connection);
      } catch (err) {
        log.warn({ err }, "NATS is unreachable");
      }
      connection = null;
      isConnected = false;
      subscriptions.disconnected();
      const pauseMs = RECONNECT_MS * (1 + random());
      await Promise.race([closing.promise, sleep(pauseMs, undefined, { ref: false })]);
    }
  }
  const running = run();

  function send(subject: string, text: string): void {
    if (connection === null || !isConnected || window.isFull) return lost.inc();
    try {
      window.send(connection, subject, text);
    } catch (err) {
      // The connection is closing or the message too large: its receiver notices the gap.
      log.warn({ err, subject }, "a message for other servers was not sent");
      lost.inc();
    }
  }

  return {
    get isConnected() {
      return isConnected;
    },
    publish: send,
    subscribe: (subject, receive) => subscriptions.add(subject, receive),
    async close() {
      isClosed = true;
      closing.resolve();
      // The last messages must reach the others, if NATS answers.
      const flushed = isConnected ? connection?.flush().catch(() => undefined) : undefined;
      await Promise.race([flushed, sleep(FLUSH_MS_MAX, undefined, { ref: false })]);
      await connection?.close();
      await running;
    },
  };
}

/** Logs in once. Throws the reason if NATS refuses or is away. */
export async function verifyNats({ url, credentialsFile }: Pick<NatsOptions, "url" | "credentialsFile">) {
  const connection = await connect(toConnectOptions(url, credentialsFile, "the doctor"));
  await connection.close();
}

function toConnectOptions(url: string, credentialsFile: string | null, name: string) {
  const { hostname, port, username, password, protocol } = new URL(url);
  const user = decodeURIComponent(username);
  return {
    servers: `${hostname}:${port || "4222"}`,
    name,
    noEcho: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    reconnectJitterTLS: RECONNECT_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: PINGS_MISSED_MAX,
    timeout: CONNECT_MS_MAX,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    ...(user !== "" && (password === "" ? { token: user } : { user, pass: decodeURIComponent(password) })),
    ...(protocol === "tls:" && { tls: {} }),
    ...(credentialsFile !== null && { authenticator: credsAuthenticator(() => readFileSync(credentialsFile)) }),
  };
}
