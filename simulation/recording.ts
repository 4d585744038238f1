import type { ClientFrame, ServerFrame } from "@holo/protocol/frames.ts";
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
  /** From when on nothing was read or the connection was closed; null if that never happened. */
  readonly silentFromMs: number | null;
}

/** Everything that one client sent and was sent. */
export interface Recording {
  /** Null for a visitor. */
  readonly account: Pick<Account, "id" | "username"> | null;
  readonly connections: readonly RecordedConnection[];
}

interface Recorder {
  openConnection(): {
    receive(text: string): void;
    send(text: string): void;
    /** Nothing is read from now on. */
    silence(): void;
  };
  readonly recording: Recording;
}

export function startRecording(account: Recording["account"]): Recorder {
  const connections: RecordedConnection[] = [];
  return {
    recording: { account, connections },
    openConnection() {
      const received: Crossed<ServerFrame>[] = [];
      const sent: Crossed<ClientFrame>[] = [];
      let silentFromMs: number | null = null;
      connections.push({
        received,
        sent,
        get silentFromMs() {
          return silentFromMs;
        },
      });
      return {
        receive: (text) => received.push({ atMs: Date.now(), frame: JSON.parse(text) as ServerFrame }),
        send: (text) => sent.push({ atMs: Date.now(), frame: JSON.parse(text) as ClientFrame }),
        silence() {
          silentFromMs ??= Date.now();
        },
      };
    },
  };
}
