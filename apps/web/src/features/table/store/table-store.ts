import type { GameId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { ChatMessageView, TableFrame } from "@holo/protocol/frames.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { GameType, Move, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { Socket } from "../../../lib/socket/socket-core.ts";
import type { TableSubscription } from "../../../lib/socket/table-subscriptions.ts";
import type { Rules } from "../../../shared/board/game-rules.ts";
import { type Premove, resolvePremove } from "../../../shared/board/premoves.ts";
import { foldRecords, isInSync, type Table, type TableFold } from "./table-fold.ts";

/** An own move that is drawn before it is acknowledged. */
export interface PendingMove {
  readonly move: Move;
  /** The board after it. */
  readonly position: unknown;
  readonly atVersion: number;
  /** By the server's clock; the displayed clocks stop here. */
  readonly sentAt: Instant;
}

export interface ShownTable extends TableFold {
  readonly type: "ready";
  readonly rules: Rules;
  readonly players: readonly [PlayerView, PlayerView | null];
  /** Since when each player is away (ms since 1970); null while present. */
  readonly awaySinceAt: readonly [number | null, number | null];
  readonly pending: PendingMove | null;
  /** Sent on the player's next turn. A takeback or a lost connection drops it. */
  readonly premove: Premove | null;
}

export type TableView =
  | { readonly type: "loading" }
  | { readonly type: "missing" }
  /** The server's records do not add up, even after a restart. Only a reload can help. */
  | { readonly type: "broken" }
  | ShownTable;

export interface TableStore {
  view(): TableView;
  subscribe(listener: () => void): () => void;
  /** Draws and sends a legal move. Does nothing while another is in flight or if it is illegal. */
  move(path: readonly Square[], promotion?: Promotion): void;
  /** Keeps a premove until its turn; null drops it. The server does not learn of it before. */
  premove(premove: Premove | null): void;
  close(): void;
}

export interface TableStoreDeps extends Pick<Socket, "sendCommand" | "watchTable"> {
  loadRules(game: GameType): Promise<Rules>;
  /** ms since 1970 by the server's clock. */
  now(): number;
  /** A move was refused; the board shows the server's state again. */
  onRefused(refusal: RefusalView): void;
  /** New chat messages, each once and in order. */
  onChat?(messages: readonly ChatMessageView[]): void;
}

const LOADING: TableView = { type: "loading" };
const MISSING: TableView = { type: "missing" };
const BROKEN: TableView = { type: "broken" };

/** One table on this page: the fold of the server's records, and the move in flight. */
export function createTableStore(gameId: GameId, world: TableStoreDeps): TableStore {
  const listeners = new Set<() => void>();
  let view: TableView = LOADING;
  let rules: Rules | null = null;
  let fold: TableFold | null = null;
  /** Frames that arrived while the rules were being loaded. */
  let held: (() => void)[] | null = null;
  let restarts = 0;
  let watch: TableSubscription | null = null;

  function publish(next: TableView): void {
    if (next === view) return;
    view = next;
    for (const listener of listeners) listener();
  }

  /** Runs `act` once the rules are loaded. The first record names the game. */
  function withRules(first: LogRecord | undefined, act: (rules: Rules) => void): void {
    if (rules !== null) {
      act(rules);
      return;
    }
    if (held !== null) {
      held.push(() => rules !== null && act(rules));
      return;
    }
    const created = first?.events[0];
    if (created?.type !== "created") return;
    held = [];
    world.loadRules(created.game).then(
      (loaded) => {
        rules = loaded;
        act(loaded);
        for (const later of held ?? []) later();
        held = null;
      },
      () => publish(BROKEN),
    );
  }

  function takeTable(frame: TableFrame, known: Rules): void {
    if (!tryFold(known, frame.entries)) return;
    if (fold !== null && isInSync(known, fold, frame)) {
      restarts = 0;
      show(known, fold, frame.players, frame.awaySinceAt);
    } else startAgain();
  }

  function takeEntry(entry: LogRecord, known: Rules): void {
    if (view.type !== "ready" || !tryFold(known, [entry]) || fold === null) return;
    const { players, awaySinceAt } = view;
    show(known, fold, players, awaySinceAt);
    // A record names players by id only; names come with the table.
    if (fold.table.players[1] !== null && players[1] === null) watch?.refresh();
  }

  function takePresence(seat: Seat, sinceAt: number | null): void {
    if (view.type !== "ready") return;
    publish({ ...view, awaySinceAt: replaceAway(view.awaySinceAt, seat, sinceAt) });
  }

  function tryFold(known: Rules, entries: readonly LogRecord[]): boolean {
    try {
      fold = foldRecords(known, gameId, fold, entries);
      return true;
    } catch {
      startAgain();
      return false;
    }
  }

  /** Starts over from the first record, once. */
  function startAgain(): void {
    fold = null;
    restarts += 1;
    if (restarts > 1) publish(BROKEN);
    else watch?.restart();
  }

  function show(
    known: Rules,
    now: TableFold,
    players: ShownTable["players"],
    awaySinceAt: ShownTable["awaySinceAt"],
  ): void {
    const earlier = view.type === "ready" ? view : null;
    const pending = earlier?.pending ?? null;
    const isPending = pending !== null && pending.atVersion === now.table.boardVersion && now.table.status === "active";
    const premove = earlier?.premove ?? null;
    const fate = premove === null || earlier === null ? "drop" : judgePremove(known, premove, earlier.table, now.table);
    publish({
      ...now,
      type: "ready",
      rules: known,
      players,
      awaySinceAt,
      pending: isPending ? pending : null,
      premove: fate === "keep" ? premove : null,
    });
    const due = fate === "play" && premove !== null ? resolvePremove(known, now.table.position, premove) : null;
    if (due !== null) move(due.path, due.promotion);
  }

  function move(path: readonly Square[], promotion?: Promotion): void {
    if (view.type !== "ready" || view.pending !== null) return;
    const { table } = view;
    const played = view.rules.play(table.position, path, promotion);
    if (!played.ok) return;
    const pending: PendingMove = {
      move: played.value.move,
      position: played.value.position,
      atVersion: table.boardVersion,
      sentAt: toInstant(world.now()),
    };
    publish({ ...view, pending });
    void world
      .sendCommand({
        type: "move",
        gameId,
        atVersion: table.boardVersion,
        path,
        ...(promotion === undefined ? {} : { promotion }),
      })
      .then((answer) => answer.type === "refused" && takeBack(pending, answer.refusal));
  }

  function takeBack(pending: PendingMove, refusal: RefusalView): void {
    if (view.type === "ready" && view.pending === pending) publish({ ...view, pending: null, premove: null });
    if (refusal.code === "stale_version") watch?.refresh();
    world.onRefused(refusal);
  }

  function keepPremove(premove: Premove | null): void {
    if (view.type !== "ready" || view.table.status !== "active" || view.premove === premove) return;
    const turn = view.rules.toMove(view.pending?.position ?? view.table.position);
    if (premove?.seat !== turn) publish({ ...view, premove });
  }

  if (view === LOADING) {
    watch = world.watchTable(gameId, {
      onTable: (frame) => withRules(frame.entries[0], (known) => takeTable(frame, known)),
      onRecord: (entry) => withRules(undefined, (known) => takeEntry(entry, known)),
      onPresence: (seat, sinceAt) => withRules(undefined, () => takePresence(seat, sinceAt)),
      onMissing: () => publish(MISSING),
      onChat: world.onChat,
      onDisconnected: () => keepPremove(null),
    });
  }

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    move,
    premove: keepPremove,
    close: () => watch?.stop(),
  };
}

/** What the next table means for a premove. Only moves keep it. */
function judgePremove(rules: Rules, premove: Premove, before: Table, now: Table): "keep" | "play" | "drop" {
  if (now.status !== "active") return "drop";
  if (now.boardVersion === before.boardVersion) return "keep";
  if (now.moves.length <= before.moves.length) return "drop";
  return rules.toMove(now.position) === premove.seat ? "play" : "keep";
}

function replaceAway(away: ShownTable["awaySinceAt"], seat: Seat, sinceAt: number | null): ShownTable["awaySinceAt"] {
  return seat === 1 ? [sinceAt, away[1]] : [away[0], sinceAt];
}
