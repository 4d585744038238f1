import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import { WebSocket } from "ws";
import { createReconnectDelays } from "../../apps/web/src/lib/socket/reconnect-delays.ts";
import type { BenchPlayer } from "../servers/arena.ts";

/** A player's page in a game: it reconnects as the page does. */
export interface ReturningPlayer {
  /** When the table arrived on the newest connection; null before. */
  seatedMs: number | null;
  attempts: number;
  close(): void;
}

interface Site {
  readonly port: number;
  readonly origin: string;
}

/** As many as production allows share an address, with room for their pages. */
const PLAYERS_PER_ADDRESS = 250;
/** A page abandons an attempt that gets no `hello` for this long. */
const GIVEN_UP_MS = 9_000;

/** `onTable` receives each table frame as it was sent. */
export function startPlayer(
  { port, origin }: Site,
  { cookie }: BenchPlayer,
  index: number,
  watch: { readonly gameId: string; readonly since: number },
  onTable: (text: string) => void,
): ReturningPlayer {
  const localAddress = `127.0.${3 + Math.floor(index / PLAYERS_PER_ADDRESS)}.${1 + (index % PLAYERS_PER_ADDRESS)}`;
  const delays = createReconnectDelays(Math.random);
  let socket: WebSocket | null = null;
  let isOver = false;
  const player: ReturningPlayer = {
    seatedMs: null,
    attempts: 0,
    close() {
      isOver = true;
      socket?.terminate();
    },
  };

  function connect(): void {
    player.attempts += 1;
    const attempt = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
      headers: { origin, cookie },
      localAddress,
      perMessageDeflate: false,
    });
    socket = attempt;
    const timer = setTimeout(() => attempt.terminate(), GIVEN_UP_MS);
    attempt.on("message", (data: Buffer) => {
      const text = data.toString("utf8");
      if (text.startsWith('{"type":"hello"')) {
        clearTimeout(timer);
        delays.reset();
        attempt.send(JSON.stringify({ type: "watch", ...watch, chatSince: 0 }));
      } else if (text.startsWith('{"type":"table"')) {
        player.seatedMs = performance.now();
        onTable(text);
      } else if (text.startsWith('{"type":"restarting"')) delays.advise(JSON.parse(text).reconnectInMs);
    });
    attempt.on("error", () => undefined);
    attempt.on("close", (code) => {
      clearTimeout(timer);
      player.seatedMs = null;
      if (code === CLOSE.tooMany) throw new Error("a player of the benchmark was displaced");
      if (!isOver) setTimeout(connect, delays.nextMs(code));
    });
  }

  connect();
  return player;
}
