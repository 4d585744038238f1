import { idlePrefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { Opening } from "../../../ui/overlay/opening.tsx";

const SettingsDialog = idlePrefetchedChunk(() => import("../../../shared/board/settings/settings-dialog.tsx"));

export function BoardSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Opening onDropped={onClose}>
      <SettingsDialog onClose={onClose} />
    </Opening>
  );
}
