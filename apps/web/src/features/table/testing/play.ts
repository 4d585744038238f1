import { checkers } from "@holo/checkers/checkers.ts";
import { toCommandId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { decide, decideCreate } from "@holo/table/decide.ts";
import type { OfferAnswer, RematchLapse } from "@holo/table/log-record.ts";
import { toGameFeeBps } from "@holo/table/platform-fee.ts";
import type { Stake } from "@holo/table/stakes.ts";
import type { Rules } from "../../../shared/board/game-rules.ts";
import { foldRecords, type TableFold } from "../store/table-fold.ts";
import type { ShownTable } from "../store/table-view.ts";
import { type TableViewModel, toTableViewModel } from "../view-model.ts";

const GAME = toGameId("11111111-1111-4111-8111-111111111111");
export const NEXT_GAME = toGameId("22222222-2222-4222-8222-222222222222");
export const ADA = { id: toPlayerId("player-ada"), username: "ada" };
export const BOLA = { id: toPlayerId("player-bola"), username: "bola" };
export const FEE_BPS = 740;

/**
 * A table at 5 HC a piece or `stake` after some steps, one second each: a move, `join`,
 * `cancel/2`, `draw/1` (offer), `draw/2/accept` (answer), `lapse/1/left`, `expire/700000` (ms).
 */
export function play(rules: Rules, steps: string, stake: Stake = 5): ShownTable {
  const first = decideCreate(
    rules.game,
    stake,
    600_000,
    toGameFeeBps(stake, FEE_BPS),
    ADA.id,
    toInstant(0),
    toCommandId("command-0"),
  );
  let fold: TableFold | null = foldRecords(rules, GAME, null, [first]);
  let at = 0;
  for (const step of steps.split(" ").filter((word) => word !== "")) {
    if (fold === null) throw new Error("there is no table");
    at += 1_000;
    const [word = "", figure = "", said = ""] = step.split("/");
    if (word === "expire") at = Number(figure);
    const decided = decide(rules, fold.table, toCommand(rules, fold, word, figure, said), toInstant(at));
    if (!decided.ok || decided.value.type !== "decided") throw new Error(`${step} was refused`);
    fold = foldRecords(rules, GAME, fold, [decided.value.record]);
  }
  if (fold === null) throw new Error("there is no table");
  const black = fold.table.players[1] === null ? null : BOLA;
  return {
    ...fold,
    type: "ready",
    rules,
    players: [ADA, black],
    awaySinceAt: [null, null],
    watchers: 0,
    pending: null,
    premove: null,
  };
}

function toCommand(rules: Rules, { table }: TableFold, word: string, figure: string, said: string): TableCommand {
  const id = toCommandId(`command-${table.version}`);
  const player = figure === "1" ? ADA.id : BOLA.id;
  const { draw, takeback, rematch } = table.offers;
  const answer = said as OfferAnswer;
  const atVersion = table.boardVersion;
  switch (word) {
    case "join":
      return { type: "join", id, player: BOLA.id, pairing: "address" };
    case "cancel":
    case "resign":
      return { type: word, id, player };
    case "expire":
      return { type: "expire", delivery: NO_DELIVERY };
    case "draw":
      if (said === "") return { type: "offer_draw", id, player };
      return { type: "answer_draw", id, player, offer: draw.pending?.version ?? 0, answer, atVersion };
    case "takeback":
      if (said === "") return { type: "request_takeback", id, player };
      return { type: "answer_takeback", id, player, offer: takeback.pending?.version ?? 0, answer, atVersion };
    case "rematch": {
      if (said === "") return { type: "offer_rematch", id, player, feeBps: table.feeBps, nextGameId: NEXT_GAME };
      const offer = rematch.pending?.version ?? 0;
      const given = answer === "accept" ? "accept" : "decline";
      return { type: "answer_rematch", id, player, offer, answer: given, nextGameId: NEXT_GAME };
    }
    case "lapse":
      return {
        type: "lapse_rematch",
        reason: said as Exclude<RematchLapse, "time">,
        seat: figure === "1" ? 1 : 2,
      };
    default: {
      const move = rules.parseMove(table.position, word);
      if (!move.ok) throw new Error(`${word} is no move`);
      const mover = rules.toMove(table.position) === 1 ? ADA.id : BOLA.id;
      return { type: "move", id, player: mover, atVersion, path: move.value.path, delivery: NO_DELIVERY };
    }
  }
}

/** A table whose newest move is drawn and not acknowledged yet. */
export function makePendingViewModel(): TableViewModel {
  const shown = play(checkers, "join c3-d4 b6-a5 b2-c3 a7-b6");
  const { position, boardVersion } = shown.table;
  const played = shown.rules.play(position, shown.rules.legalMoves(position)[0]!.path);
  if (!played.ok) throw new Error("the move is not legal");
  const pending = { ...played.value, atVersion: boardVersion, sentAt: toInstant(10_000) };
  return toTableViewModel({ ...shown, pending }, ADA.id);
}
