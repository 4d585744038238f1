import { RecordPanel } from "./log-check-panel.tsx";
import type { Scene } from "./scene.ts";
import { SettlementPanel } from "./settlement-panel.tsx";
import "./table-papers.css";

/** What a game that is over leaves on paper, below the board: its record for everyone, how it was settled for its players. */
export default function TablePapers({ scene }: { readonly scene: Scene }) {
  return (
    <div className="table-papers">
      {scene.seat !== null && <SettlementPanel scene={scene} />}
      <RecordPanel scene={scene} />
    </div>
  );
}
