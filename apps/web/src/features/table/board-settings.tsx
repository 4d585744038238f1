import { Suspense, useState } from "react";
import { nearPart } from "../../lib/late-part.ts";
import { IconButton } from "../../ui/icon-button.tsx";

const SettingsDialog = nearPart(() => import("../../ui/board/settings-dialog.tsx"));

/** The dialog of the board's settings, fetched when it is first opened. */
export function BoardSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Suspense fallback={null}>
      <SettingsDialog onClose={onClose} />
    </Suspense>
  );
}

export function BoardSettingsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="settings" label="Board settings" onClick={() => setOpen(true)} />
      {isOpen && <BoardSettingsDialog onClose={() => setOpen(false)} />}
    </>
  );
}
