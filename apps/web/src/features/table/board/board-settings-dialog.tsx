import { Suspense } from "react";
import { idlePrefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";

const SettingsDialog = idlePrefetchedChunk(() => import("../../../shared/board/settings/settings-dialog.tsx"));

export function BoardSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Suspense fallback={null}>
      <SettingsDialog onClose={onClose} />
    </Suspense>
  );
}
