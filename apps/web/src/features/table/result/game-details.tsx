import { ButtonLink } from "../../../ui/button/button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { LogCheckPanel } from "../history/log-check-panel.tsx";
import type { TableViewModel } from "../view-model.ts";
import { SettlementPanel } from "./settlement-panel.tsx";
import "./game-details.css";

export default function GameDetails({ viewModel }: { readonly viewModel: TableViewModel }) {
  return (
    <div className="game-details">
      {viewModel.seat !== null && !viewModel.isFree && <SettlementPanel viewModel={viewModel} />}
      {viewModel.seat !== null && viewModel.shown.table.result !== null && <ReviewPanel viewModel={viewModel} />}
      <LogCheckPanel viewModel={viewModel} />
    </div>
  );
}

function ReviewPanel({ viewModel }: { readonly viewModel: TableViewModel }) {
  return (
    <Panel className="review-panel" label="Review">
      <h2>Review</h2>
      <p className="muted small">How good was each move, and where did the game turn? The computer looks at it all.</p>
      <ButtonLink href={`/game/${viewModel.shown.table.gameId}/review`} size="small">
        Review this game
      </ButtonLink>
    </Panel>
  );
}
