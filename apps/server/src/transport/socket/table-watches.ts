import type { GameId } from "@holo/kernel/ids.ts";
import type { WatchFrame } from "@holo/protocol/socket/client-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { Games, WatchCost } from "../../game/game.ts";
import type { Matches } from "../../match/match.ts";
import type { Log } from "../../platform/log.ts";
import { LogScope, runInLogScope } from "../../platform/log-scope.ts";
import type { FrameAdmission } from "../admission/frames.ts";
import type { Connection } from "./connection.ts";
import { refuseFrame, send } from "./send.ts";

type WatchTableFrame = Extract<WatchFrame, { readonly type: "watch" }>;

interface TableWatchesDeps {
  readonly games: Pick<Games, "watch" | "unwatch" | "dropWatcher">;
  readonly matches: Pick<Matches, "isInvitation">;
  readonly log: Log;
  readonly frames: FrameAdmission;
}

/** Tables one connection may watch at once; the page shows one. */
const WATCHED_MAX = 8;

/** The tables that each connection watches. Visitors wait for their turn. */
export class TableWatches {
  readonly #deps: TableWatchesDeps;

  constructor(deps: TableWatchesDeps) {
    this.#deps = deps;
  }

  watch(connection: Connection, frame: WatchTableFrame): void {
    const { gameId } = frame;
    const { watched } = connection;
    const isNew = !watched.has(gameId);
    if (watched.size >= WATCHED_MAX && isNew) return refuseFrame(connection, "too_many_requests");
    watched.add(gameId);
    if (connection.player !== null) return void this.#showTable(connection, frame);
    this.#deps.frames.serve(
      connection,
      // The visitor may have left the table while waiting.
      async () => (watched.has(gameId) ? await this.#showTable(connection, frame) : undefined),
      () => {
        // A table that is shown already stays shown.
        if (isNew) this.unwatch(connection, gameId);
        refuseFrame(connection, "too_many_requests");
      },
    );
  }

  unwatch(connection: Connection, gameId: GameId): void {
    connection.watched.delete(gameId);
    this.#deps.games.unwatch(connection, gameId);
  }

  /** Sends the records since a version, if the connection watches the table. */
  resync(connection: Connection, gameId: GameId, since: number): void {
    if (connection.watched.has(gameId)) this.watch(connection, { type: "watch", gameId, since });
  }

  leave(connection: Connection): void {
    for (const gameId of connection.watched) this.#deps.games.dropWatcher(connection, gameId);
    connection.watched.clear();
  }

  #showTable(connection: Connection, frame: WatchTableFrame): Promise<void> {
    const scope = new LogScope({ requestId: connection.requestId, gameId: frame.gameId });
    return runInLogScope(scope, () => this.#readTable(connection, frame)).finally(() => scope.end());
  }

  async #readTable(connection: Connection, frame: WatchTableFrame): Promise<void> {
    const { games, matches, log } = this.#deps;
    const { gameId, since, chatSince, invitation } = frame;
    try {
      const isInvited = matches.isInvitation(invitation, gameId);
      this.#afterWatch(connection, gameId, await games.watch(connection, gameId, since, chatSince, isInvited));
    } catch (err) {
      log.error({ err }, "a table could not be sent");
      // The client reconnects and asks again; the database may answer by then.
      connection.close(CLOSE.faulty);
    }
  }

  #afterWatch(connection: Connection, gameId: GameId, cost: WatchCost | null): void {
    if (cost === null) {
      // An earlier watch may have named the invitation.
      this.unwatch(connection, gameId);
      return send(connection, { type: "no_table", gameId });
    }
    this.#deps.frames.chargeWatch(connection, cost);
    // A message costs at least as much as a record.
    void cost.messagesSent?.then((messages) =>
      this.#deps.frames.chargeWatch(connection, { recordsSent: messages, recordsRead: 0 }),
    );
    // The client may have left the table while it was read.
    if (!connection.watched.has(gameId)) this.#deps.games.unwatch(connection, gameId);
  }
}
