import { isOpen } from "@holo/table/state.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ConfirmBar } from "./confirm-bar.tsx";
import { toPageTitle } from "./page-title.ts";
import { PastBar } from "./past-bar.tsx";
import type { Scene } from "./scene.ts";
import { TurnBanner } from "./turn-banner.tsx";
import type { OwnMoveActs } from "./use-own-move.ts";
import type { TableRecord } from "./use-record.ts";

interface StateBarProps {
  readonly scene: Scene;
  readonly record: TableRecord;
  readonly ownMove: OwnMoveActs;
}

/** What there is to know or to do before anything else. */
export function StateBar({ scene, record, ownMove }: StateBarProps) {
  const isOver = !isOpen(scene.shown.table.status);
  const { move, confirm, undo } = ownMove;
  if (record.isPast) return <PastBar record={record} turnTitle={isOver ? null : toPageTitle(scene, null)} />;
  if (move.type === "tentative") return <ConfirmBar text={move.text} onConfirm={confirm} onUndo={undo} />;
  if (isOver) return null;
  return (
    <>
      <TurnBanner scene={scene} />
      {record.count > 0 && (
        <IconButton
          className="look-back"
          icon="previous"
          label="Previous move"
          onClick={() => record.step("previous")}
        />
      )}
    </>
  );
}
