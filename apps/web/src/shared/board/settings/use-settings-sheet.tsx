import type { GameType } from "@holo/rules/rules.ts";
import { type ReactNode, useState } from "react";
import { lazyChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { IconButton } from "../../../ui/button/button.tsx";
import { Opening } from "../../../ui/overlay/opening.tsx";

const SettingsSheet = lazyChunk(() => import("./settings-sheet.tsx"), true);

interface SettingsPlaces {
  readonly button: ReactNode;
  /** A child of the page's grid, whose cells it covers beside the board. */
  readonly sheet: ReactNode;
}

/** The board settings of a page that has a board but no table. */
export function useSettingsSheet(game: GameType): SettingsPlaces {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return {
    button: (
      <IconButton icon="settings" label="Board settings" aria-haspopup="dialog" onClick={() => setOpen(!isOpen)} />
    ),
    sheet: isOpen && (
      <Opening onDropped={close}>
        <SettingsSheet game={game} zen={null} onClose={close} />
      </Opening>
    ),
  };
}
