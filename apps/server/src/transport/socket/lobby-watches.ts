import type { WatchFrame } from "@holo/protocol/socket/client-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { Lobby } from "../../lobby/lobby.ts";
import type { Log } from "../../platform/log.ts";
import { LogScope, runInLogScope } from "../../platform/log-scope.ts";
import type { FrameAdmission } from "../admission/frames.ts";
import type { Connection } from "./connection.ts";
import { refuseFrame } from "./send.ts";

type WatchLobbyFrame = Extract<WatchFrame, { readonly type: "watch_lobby" }>;

interface LobbyWatchesDeps {
  readonly lobby: Pick<
    Lobby,
    "watchLobby" | "unwatchLobby" | "isLobbyServed" | "watchAvailability" | "unwatchAvailability"
  >;
  readonly log: Log;
  readonly frames: FrameAdmission;
}

/** The list of matches and of available opponents that each connection watches. */
export class LobbyWatches {
  readonly #deps: LobbyWatchesDeps;
  /** The newest request of each connection, which may wait for its turn. */
  readonly #newest = new Map<Connection, WatchLobbyFrame>();

  constructor(deps: LobbyWatchesDeps) {
    this.#deps = deps;
  }

  watch(connection: Connection, frame: WatchLobbyFrame): void {
    const { lobby, frames } = this.#deps;
    this.#newest.set(connection, frame);
    // The visitor may watch something else after waiting.
    const show = async (): Promise<void> =>
      this.#newest.get(connection) === frame
        ? await this.#closeOnFault(connection, async () =>
            frames.chargeList(connection, await lobby.watchLobby(connection, frame)),
          )
        : undefined;
    if (connection.player !== null || lobby.isLobbyServed(frame.filter)) return void show();
    frames.serve(connection, show, () => refuseFrame(connection, "too_many_requests"));
  }

  unwatch(connection: Connection): void {
    this.#newest.delete(connection);
    this.#deps.lobby.unwatchLobby(connection);
  }

  watchAvailability(connection: Connection): void {
    void this.#closeOnFault(connection, () => this.#deps.lobby.watchAvailability(connection));
  }

  leave(connection: Connection): void {
    this.unwatch(connection);
    this.#deps.lobby.unwatchAvailability(connection);
  }

  async #closeOnFault(connection: Connection, watch: () => Promise<void>): Promise<void> {
    const scope = new LogScope({ requestId: connection.requestId });
    await runInLogScope(scope, async () => {
      try {
        await watch();
      } catch (err) {
        this.#deps.log.error({ err }, "a list could not be sent");
        connection.close(CLOSE.faulty);
      }
    });
    scope.end();
  }
}
