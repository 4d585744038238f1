import { Suspense, useState } from "react";
import { prefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { IconButton } from "../../../ui/button/button.tsx";

const SettingsDialog = prefetchedChunk(() => import("../../../shared/board/settings/settings-dialog.tsx"));

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
