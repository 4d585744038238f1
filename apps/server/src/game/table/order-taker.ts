import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { isUnlisted } from "@holo/table/state.ts";
import type { Log } from "../../platform/log.ts";
import { type Answer, type Refusal, refused, UNKNOWN } from "../answer.ts";
import { checkOffer, type OfferDeps } from "./offer-check.ts";
import { type Order, toCommand } from "./orders.ts";
import type { Arrival } from "./queued-command.ts";
import type { Table } from "./table.ts";
import type { Tables } from "./tables.ts";

interface OrdersDeps extends OfferDeps {
  readonly tables: Tables;
  readonly log: Log;
  readonly feeBps: () => number;
  readonly isReachable: (playerId: PlayerId) => boolean;
}

/** Returns what carries out an order at a table of this server. `null`: route it again. */
export function makeOrderTaker(
  deps: OrdersDeps,
): (table: Table, order: Order, arrival: Arrival, answer: (answer: Answer | null) => void) => void {
  const { log, feeBps, isReachable } = deps;

  function enqueue(table: Table, order: Order, arrival: Arrival, answer: (answer: Answer | null) => void): void {
    const { session, isLate, leaves } = { session: undefined, isLate: undefined, leaves: undefined, ...order };
    const joiner = order.type === "join" && isLate !== true ? order.view : undefined;
    table.enqueue({ command: toCommand(order), ...arrival, answer, session, isLate, joiner, leaves });
  }

  async function check(table: Table, order: Order): Promise<Refusal | null> {
    if (isKnown(table, order.commandId)) return null;
    if (order.type === "join") return checkCreator(table, order.pairing === "invitation");
    if (order.type !== "offer") return null;
    const { offer: type, player, feeBps: shownFeeBps } = order;
    return await checkOffer(deps, table, player, { type, feeBps: shownFeeBps, feeInForceBps: feeBps() });
  }

  /** Ruling 38: a game that is hidden because its creator is away cannot be joined by address. */
  function checkCreator(table: Table, isInvited: boolean): Refusal | null {
    const { status, players } = table.state;
    // The table refuses a player without the link, who must not learn that the game exists.
    if (isUnlisted(table.state) && !isInvited) return null;
    return status !== "waiting" || isReachable(players[0]) ? null : { code: "creator_away", figures: {} };
  }

  async function checkAndEnqueue(
    table: Table,
    order: Order,
    arrival: Arrival,
    answer: (answer: Answer | null) => void,
  ): Promise<void> {
    const { refusals } = deps.tables;
    const command = toCommand(order);
    // A check takes several queries: on a slow database no copy would be answered in time.
    const kept = isKnown(table, order.commandId) ? undefined : refusals.find(table.gameId, command);
    if (kept !== undefined) return answer(kept);
    try {
      const refusal = await check(table, order);
      if (refusal === null || isKnown(table, order.commandId)) return enqueue(table, order, arrival, answer);
      const given = refused(refusal.code, refusal.figures);
      refusals.keep(table.gameId, command, given);
      answer(given);
    } catch (err) {
      log.error({ err, gameId: table.gameId }, "a command could not be checked");
      // An earlier copy may have been committed.
      answer(UNKNOWN);
    }
  }

  return (table, order, arrival, answer) => {
    const isLate = "isLate" in order && order.isLate === true;
    const isChecked = order.type === "offer" || (order.type === "join" && order.pairing !== "matchmaking");
    if (isChecked && !isLate) void checkAndEnqueue(table, order, arrival, answer);
    else enqueue(table, order, arrival, answer);
  };
}

/** Whether a command has its answer already, or will get it from the queue. */
function isKnown(table: Table, id: CommandId): boolean {
  return table.state.answered.find(id) !== null || table.isQueued(id);
}
