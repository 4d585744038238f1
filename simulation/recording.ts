import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { wallMs } from "../apps/server/src/platform/runtime.ts";
import type { Account } from "./account.ts";

/** A frame as it crossed the socket. `atMs` is ms since 1970. */
export interface Crossed<Frame> {
  readonly atMs: number;
  readonly frame: Frame;
}

/** One connection, before the faults of the network drop, double or delay anything. */
export interface RecordedConnection {
  readonly received: readonly Crossed<ServerFrame>[];
  readonly sent: readonly Crossed<ClientFrame>[];
  /** From when on nothing was read or the connection was closed; null if never. */
  readonly silentFromMs: number | null;
  /** The server at the other end; -1 until it is known. */
  readonly server: number;
}

export interface Recording {
  readonly account: Pick<Account, "id" | "username"> | null;
  readonly connections: readonly RecordedConnection[];
}

/** A recording that goes on. */
export interface RunningRecording extends Recording {
  /** How many frames brought something new, in either direction. */
  countNews(): number;
}

interface Recorder {
  openConnection(): {
    receive(text: string): void;
    send(text: string): void;
    silence(): void;
    /** The connection leads to this server. */
    noteServer(index: number): void;
  };
  readonly recording: RunningRecording;
}

export function startRecording(account: Recording["account"]): Recorder {
  const connections: RecordedConnection[] = [];
  let news = 0;
  return {
    recording: { account, connections, countNews: () => news },
    openConnection() {
      const received: Crossed<ServerFrame>[] = [];
      const sent: Crossed<ClientFrame>[] = [];
      let silentFromMs: number | null = null;
      let server = -1;
      connections.push({
        received,
        sent,
        get silentFromMs() {
          return silentFromMs;
        },
        get server() {
          return server;
        },
      });
      return {
        receive(text) {
          const frame = JSON.parse(text) as ServerFrame;
          received.push({ atMs: wallMs(), frame });
          if (isNews(frame)) news += 1;
        },
        send(text) {
          const frame = JSON.parse(text) as ClientFrame;
          sent.push({ atMs: wallMs(), frame });
          if (frame.type !== "watch" && frame.type !== "probe") news += 1;
        },
        silence() {
          silentFromMs ??= wallMs();
        },
        noteServer(index) {
          server = index;
        },
      };
    },
  };
}

/** Tables that are silent are asked for again and again, and so are silent connections. */
function isNews(frame: ServerFrame): boolean {
  if (frame.type === "alive") return false;
  if (frame.type === "table") return frame.records.length > 0;
  return frame.type !== "chat" || frame.messages.length > 0;
}
