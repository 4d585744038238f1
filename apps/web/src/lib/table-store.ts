import { type GameId, isGameId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { TableFrame } from "@holo/protocol/frames.ts";
import type { RefusalView } from "@holo/protocol/refusals.ts";
import type { ChatMessageView, PlayerView } from "@holo/protocol/views.ts";
import type { GameType, Move, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Entry } from "@holo/table/entry.ts";
import type { Rules } from "./games.ts";
import { type Premove, resolvePremove } from "./premoves.ts";
import type { Socket } from "./socket-core.ts";
import type { TableWatch } from "./socket-tables.ts";
import { type Fold, foldEntries, isInStep, type Table } from "./table-store-fold.ts";

/** A move of one's own that is drawn before it stands. */
export interface PendingMove {
  readonly move: Move;
  /** The board with it. */
  readonly position: unknown;
  readonly atVersion: number;
  /** By the server's clock; both clocks stand still on the screen from here. */
  readonly sentAt: Instant;
}

export interface ShownTable extends Fold {
  readonly type: "ready";
  readonly rules: Rules;
  readonly players: readonly [PlayerView, PlayerView | null];
  /** Since when each player is away (ms since 1970), null while here. */
  readonly awaySinceAt: readonly [number | null, number | null];
  readonly pending: PendingMove | null;
  /** Played as soon as its turn comes. Whatever else happens to the board, and a lost connection, drops it. */
  readonly premove: Premove | null;
}

export type TableView =
  | { readonly type: "loading" }
  | { readonly type: "missing" }
  /** What the server tells does not add up, even from the first entry on: only another page can help. */
  | { readonly type: "broken" }
  | ShownTable;

export interface TableStore {
  view(): TableView;
  subscribe(listener: () => void): () => void;
  /** Draws a legal move at once and sends it. Does nothing while another is on its way, or where the path is not legal. */
  move(path: readonly Square[], promotion?: Promotion): void;
  /** Keeps a move of the side that is not to move until it is; null drops what is kept. The server hears of it only then. */
  premove(premove: Premove | null): void;
  close(): void;
}

export interface TableStoreWorld extends Pick<Socket, "sendCommand" | "watchTable"> {
  loadRules(game: GameType): Promise<Rules>;
  /** ms since 1970 by the server's clock. */
  now(): number;
  /** A move was not carried out; the board shows again what stands. */
  onRefused(refusal: RefusalView): void;
  /** What the players wrote, each message once and in order. */
  onChat?(messages: readonly ChatMessageView[]): void;
}

const LOADING: TableView = { type: "loading" };
const MISSING: TableView = { type: "missing" };
const BROKEN: TableView = { type: "broken" };

/** One table as this page sees it: the fold of what the server sends, and the move that is on its way. */
export function createTableStore(gameId: string, world: TableStoreWorld): TableStore {
  const listeners = new Set<() => void>();
  let view: TableView = isGameId(gameId) ? LOADING : MISSING;
  let rules: Rules | null = null;
  let fold: Fold | null = null;
  /** What has come while the rules were being fetched. */
  let held: (() => void)[] | null = null;
  let restarts = 0;
  let watch: TableWatch | null = null;

  function publish(next: TableView): void {
    if (next === view) return;
    view = next;
    for (const listener of listeners) listener();
  }

  /** Runs `act` once the rules of the game are there; the first entry says which. What comes before a table at all is of no use. */
  function withRules(first: Entry | undefined, act: (rules: Rules) => void): void {
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
    if (fold !== null && isInStep(known, fold, frame)) {
      restarts = 0;
      show(known, fold, frame.players, frame.awaySinceAt);
    } else startAgain();
  }

  function takeEntry(entry: Entry, known: Rules): void {
    if (view.type !== "ready" || !tryFold(known, [entry]) || fold === null) return;
    const { players, awaySinceAt } = view;
    show(known, fold, players, awaySinceAt);
    // an entry names a player by id alone; who that is comes with the table
    if (fold.table.players[1] !== null && players[1] === null) watch?.refresh();
  }

  function takePresence(seat: Seat, sinceAt: number | null): void {
    if (view.type !== "ready") return;
    publish({ ...view, awaySinceAt: replaceAway(view.awaySinceAt, seat, sinceAt) });
  }

  function tryFold(known: Rules, entries: readonly Entry[]): boolean {
    try {
      fold = foldEntries(known, gameId as GameId, fold, entries);
      return true;
    } catch {
      startAgain();
      return false;
    }
  }

  /** Once from the first entry on; if that does not add up either, the page gives up. */
  function startAgain(): void {
    fold = null;
    restarts += 1;
    if (restarts > 1) publish(BROKEN);
    else watch?.restart();
  }

  function show(known: Rules, now: Fold, players: ShownTable["players"], awaySinceAt: ShownTable["awaySinceAt"]): void {
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
      onEntry: (entry) => withRules(undefined, (known) => takeEntry(entry, known)),
      onPresence: (seat, sinceAt) => withRules(undefined, () => takePresence(seat, sinceAt)),
      onMissing: () => publish(MISSING),
      onChat: world.onChat,
      onLost: () => keepPremove(null),
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

/** What the next table means for a premove: only moves leave it standing or let it be played. */
function judgePremove(rules: Rules, premove: Premove, before: Table, now: Table): "keep" | "play" | "drop" {
  if (now.status !== "active") return "drop";
  if (now.boardVersion === before.boardVersion) return "keep";
  if (now.moves.length <= before.moves.length) return "drop";
  return rules.toMove(now.position) === premove.seat ? "play" : "keep";
}

function replaceAway(away: ShownTable["awaySinceAt"], seat: Seat, sinceAt: number | null): ShownTable["awaySinceAt"] {
  return seat === 1 ? [sinceAt, away[1]] : [away[0], sinceAt];
}
