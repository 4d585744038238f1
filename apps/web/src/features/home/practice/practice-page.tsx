import { Suspense } from "react";
import { useIdle } from "../../../lib/chunks/idle.ts";
import { lazyChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { PracticePagePlaceholder } from "./practice-frame.tsx";

const PracticeScreen = lazyChunk(loadPracticeScreen, true);

/** Loads the sounds too: the connection may be lost before the first touch. */
async function loadPracticeScreen() {
  const [screen] = await Promise.all([import("./practice-screen.tsx"), import("../../../lib/sound/sound-synth.ts")]);
  return screen;
}

export default function PracticePage() {
  usePageTitle("Practice");
  const isIdle = useIdle();
  return (
    <Suspense fallback={<PracticePagePlaceholder />}>
      {isIdle ? <PracticeScreen /> : <PracticePagePlaceholder />}
    </Suspense>
  );
}
