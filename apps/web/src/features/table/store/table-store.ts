import type { GameId } from "@holo/kernel/ids.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ChatMessageView, TableFrame } from "@holo/protocol/socket/server-frames.ts";
import type { GameType, Promotion, Square } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { Socket } from "../../../lib/socket/socket-core.ts";
import type { TableSubscription } from "../../../lib/socket/table-subscriptions.ts";
import type { Rules } from "../../../shared/board/game-rules.ts";
import type { Premove } from "../../../shared/board/premoves.ts";
import { createSyncedFold, type TableFold } from "./table-fold.ts";
import {
  type PendingMove,
  type Presence,
  type TableView,
  toNextView,
  toPendingMove,
  withPremove,
  withPresence,
} from "./table-view.ts";

export interface TableStore {
  view(): TableView;
  subscribe(listener: () => void): () => void;
  /** Draws and sends a legal move. Does nothing while another is in flight or if it is illegal. */
  move(path: readonly Square[], promotion?: Promotion): void;
  /** Keeps a premove on this page until its turn; null drops it. */
  premove(premove: Premove | null): void;
  close(): void;
}

interface TableStoreDeps extends Pick<Socket, "sendCommand" | "watchTable"> {
  loadRules(game: GameType): Promise<Rules>;
  /** ms since 1970 by the server's clock. */
  now(): number;
  onRefused(refusal: RefusalView): void;
  onChat?(messages: readonly ChatMessageView[]): void;
}

const LOADING: TableView = { type: "loading" };
const MISSING: TableView = { type: "missing" };
const BROKEN: TableView = { type: "broken" };

export function createTableStore(gameId: GameId, deps: TableStoreDeps): TableStore {
  const listeners = new Set<() => void>();
  const withRules = createRulesLoader(deps.loadRules, () => publish(BROKEN));
  const fold = createSyncedFold(gameId, (isFirst) => (isFirst ? subscription.restart() : publish(BROKEN)));
  let view: TableView = LOADING;

  function publish(next: TableView): void {
    if (next === view) return;
    view = next;
    for (const listener of listeners) listener();
  }

  function receiveTable(frame: TableFrame, rules: Rules): void {
    const folded = fold.addTable(rules, frame);
    if (folded !== null) show(rules, folded, frame);
  }

  function receiveRecord(record: LogRecord, rules: Rules): void {
    if (view.type !== "ready") return;
    const { players } = view;
    const folded = fold.addRecord(rules, record);
    if (folded === null) return;
    show(rules, folded, view);
    // A record names players by id only; the table frame has their names.
    if (folded.table.players[1] !== null && players[1] === null) subscription.refresh();
  }

  function show(rules: Rules, folded: TableFold, { players, awaySinceAt, watchers }: Presence): void {
    const next = toNextView(view, rules, folded, { players, awaySinceAt, watchers });
    publish(next.view);
    if (next.due !== null) move(next.due.path, next.due.promotion);
  }

  function move(path: readonly Square[], promotion?: Promotion): void {
    if (view.type !== "ready") return;
    const pending = toPendingMove(view, path, promotion, deps.now());
    if (pending === null) return;
    publish({ ...view, pending });
    const promoted = promotion === undefined ? {} : { promotion };
    void deps
      .sendCommand({ type: "move", gameId, atVersion: pending.atVersion, path, ...promoted })
      .then((answer) => answer.type === "refused" && revert(pending, answer.refusal));
  }

  function revert(pending: PendingMove, refusal: RefusalView): void {
    if (view.type === "ready" && view.pending === pending) publish({ ...view, pending: null, premove: null });
    if (refusal.code === "stale_version") subscription.refresh();
    deps.onRefused(refusal);
  }

  const subscription: TableSubscription = deps.watchTable(gameId, {
    onTable: (frame) => withRules(frame.records[0], (rules) => receiveTable(frame, rules)),
    onRecord: (record) => withRules(undefined, (rules) => receiveRecord(record, rules)),
    onPresence: (seat, sinceAt) => withRules(undefined, () => publish(withPresence(view, seat, sinceAt))),
    onWatchers: (watchers) => withRules(undefined, () => view.type === "ready" && publish({ ...view, watchers })),
    onMissing: () => publish(MISSING),
    onChat: deps.onChat,
    onDisconnected: () => publish(withPremove(view, null)),
  });

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    move,
    premove: (premove) => publish(withPremove(view, premove)),
    close: () => subscription.stop(),
  };
}

type RulesAction = (rules: Rules) => void;

/** Runs actions once the rules are loaded, in order. The first record names the game. */
function createRulesLoader(
  load: TableStoreDeps["loadRules"],
  onFailed: () => void,
): (first: LogRecord | undefined, act: RulesAction) => void {
  let rules: Rules | null = null;
  let queued: RulesAction[] | null = null;
  return (first, act) => {
    const created = first?.events[0];
    if (rules !== null) act(rules);
    else if (queued !== null) queued.push(act);
    else if (created?.type === "created") {
      const actions = [act];
      queued = actions;
      load(created.game).then((loaded) => {
        rules = loaded;
        for (const action of actions) action(loaded);
      }, onFailed);
    }
  };
}
