import { LogCheckPanel } from "../history/log-check-panel.tsx";
import type { TableViewModel } from "../view-model.ts";
import { SettlementPanel } from "./settlement-panel.tsx";
import "./game-details.css";

export default function GameDetails({ viewModel }: { readonly viewModel: TableViewModel }) {
  return (
    <div className="game-details">
      {viewModel.seat !== null && !viewModel.isFree && <SettlementPanel viewModel={viewModel} />}
      <LogCheckPanel viewModel={viewModel} />
    </div>
  );
}
