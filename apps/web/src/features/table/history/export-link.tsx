import { gameOf } from "@holo/rules/registry.ts";
import { Icon } from "../../../ui/icon/icon.tsx";
import type { TableViewModel } from "../view-model.ts";

export function ExportLink({
  viewModel,
  wide = false,
}: {
  readonly viewModel: TableViewModel;
  readonly wide?: boolean;
}) {
  const { gameId, game } = viewModel.shown.table;
  return (
    <a className={wide ? "button small wide" : "button small"} href={`/api/matches/${gameId}/export`} download>
      <Icon name="download" />
      Download {gameOf(game).file.name}
    </a>
  );
}
