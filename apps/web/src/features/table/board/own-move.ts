import type { Move, Played, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import { useCallback, useState } from "react";
import type { Rules } from "../../../shared/board/game-rules.ts";
import type { Premove } from "../../../shared/board/premoves.ts";
import { type BoardSettings, useBoardSettings } from "../../../shared/board/settings/board-settings.ts";
import type { Table } from "../store/table-fold.ts";
import type { TableStore } from "../store/table-store.ts";
import { mayMove, mayPremove, type TableViewModel } from "../view-model.ts";

/** A move that the player has chosen and that is not sent yet. */
type OwnMove =
  | { readonly type: "none" }
  | { readonly type: "promoting"; readonly path: readonly Square[]; readonly at: BoardMoment }
  /** Drawn, and waits for confirmation. */
  | { readonly type: "tentative"; readonly played: Played<unknown>; readonly text: string; readonly at: BoardMoment };

interface BoardMoment {
  readonly boardVersion: number;
  readonly isPremove: boolean;
}

type ChoiceOutcome =
  | OwnMove
  | { readonly type: "play"; readonly path: readonly Square[]; readonly promotion?: Promotion }
  | { readonly type: "premove"; readonly premove: Premove };

export const NO_MOVE: OwnMove = { type: "none" };

interface Choice {
  readonly shown: { readonly rules: Rules; readonly table: Pick<Table, "position" | "boardVersion"> };
  readonly seat: Seat;
  readonly isPremove: boolean;
  readonly settings: Pick<BoardSettings, "promotionChoice" | "moveConfirmation">;
}

export function choosePath(choice: Choice, moves: readonly Move[], path: readonly Square[]): ChoiceOutcome {
  const isPromoting = moves.some((move) => move.promotion !== undefined && isSamePath(move.path, path));
  if (isPromoting && choice.settings.promotionChoice) return { type: "promoting", path, at: toBoardMoment(choice) };
  return completeMove(choice, path);
}

/**
 * The result of a complete move. Premoves are never confirmed, since they are meant to be quick.
 */
export function completeMove(choice: Choice, path: readonly Square[], promotion?: Promotion): ChoiceOutcome {
  const { shown, seat, isPremove, settings } = choice;
  const promoted = promotion === undefined ? {} : { promotion };
  const [from, to] = path;
  if (isPremove) {
    if (from === undefined || to === undefined) return NO_MOVE;
    return { type: "premove", premove: { seat, path: [from, to], ...promoted } };
  }
  if (!settings.moveConfirmation) return { type: "play", path, ...promoted };
  const { rules, table } = shown;
  const played = rules.play(table.position, path, promotion);
  if (!played.ok) return NO_MOVE;
  const text = rules.formatMove(table.position, played.value.move);
  return { type: "tentative", played: played.value, text, at: toBoardMoment(choice) };
}

export function keepOwnMove(move: OwnMove, now: BoardMoment | null): OwnMove {
  if (move.type === "none" || now === null) return NO_MOVE;
  const isSame = move.at.boardVersion === now.boardVersion && move.at.isPremove === now.isPremove;
  return isSame ? move : NO_MOVE;
}

function toBoardMoment({ shown, isPremove }: Pick<Choice, "shown" | "isPremove">): BoardMoment {
  return { boardVersion: shown.table.boardVersion, isPremove };
}

function isSamePath(a: readonly Square[], b: readonly Square[]): boolean {
  return a.length === b.length && a.every((square, index) => square === b[index]);
}

export interface OwnMoveControls {
  readonly move: OwnMove;
  readonly choose: (moves: readonly Move[], path: readonly Square[], promotion?: Promotion) => void;
  readonly promote: (promotion: Promotion) => void;
  readonly confirm: () => void;
  readonly undo: () => void;
}

export function useOwnMove(viewModel: TableViewModel, store: TableStore | null): OwnMoveControls {
  const { shown, seat } = viewModel;
  const { promotionChoice, moveConfirmation, premove } = useBoardSettings();
  const [kept, setKept] = useState<OwnMove>(NO_MOVE);
  const isPremove = premove && mayPremove(viewModel);
  const isOpen = isPremove || mayMove(viewModel);
  const move = keepOwnMove(kept, isOpen ? { boardVersion: shown.table.boardVersion, isPremove } : null);
  const choice = seat === null ? null : { shown, seat, isPremove, settings: { promotionChoice, moveConfirmation } };

  function apply(outcome: ChoiceOutcome): void {
    setKept(outcome.type === "promoting" || outcome.type === "tentative" ? outcome : NO_MOVE);
    if (outcome.type === "play") store?.move(outcome.path, outcome.promotion);
    if (outcome.type === "premove") store?.premove(outcome.premove);
  }

  return {
    move,
    choose(moves, path, promotion) {
      if (choice === null || !isOpen) return;
      apply(promotion === undefined ? choosePath(choice, moves, path) : completeMove(choice, path, promotion));
    },
    promote(promotion) {
      if (choice !== null && move.type === "promoting") apply(completeMove(choice, move.path, promotion));
    },
    confirm() {
      if (move.type !== "tentative") return;
      const { path, promotion } = move.played.move;
      setKept(NO_MOVE);
      store?.move(path, promotion);
    },
    undo: useCallback(() => setKept(NO_MOVE), []),
  };
}
