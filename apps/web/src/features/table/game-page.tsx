import { type GameId, isGameId } from "@holo/kernel/ids.ts";
import { useDeferredValue } from "react";
import { useRoute } from "wouter";
import { useSession } from "../../lib/session/session.ts";
import { prefetchPieceSets } from "../../shared/board/piece-sets/piece-sets.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Loading } from "../../ui/feedback/skeleton.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { GameTable } from "./game-table.tsx";
import { useTableStore } from "./store/use-table-store.ts";
import { TablePlaceholder } from "./table-placeholder.tsx";
import { toTableViewModel } from "./view-model.ts";
// The order matters: a later stylesheet overrides an earlier one.
import "./clock/clock.css";
import "./chat/chat.css";
import "./board/typed/move-field.css";
import "./history/move-list.css";
import "./offers/offer-bars.css";
import "./players/player-card.css";
import "./result/result-panel.css";
import "./status/bars.css";
import "./status/state-bar.css";
import "./actions/table-actions.css";
import "./players/table-facts.css";
import "./game-page.css";
import "./sideways.css";
import "./upright.css";
import "./result/result-sheet.css";
import "./table-toasts.css";
import "./bar/game-bar.css";
import "./zen/zen.css";

export { GameBar } from "./bar/game-bar.tsx";

// Not when the board appears: its pieces would come a round trip later.
prefetchPieceSets();

export default function GamePage() {
  const [, params] = useRoute<{ gameId: string }>("/game/:gameId");
  const gameId = params?.gameId ?? "";
  return isGameId(gameId) ? <WatchedGame key={gameId} gameId={gameId} /> : <MissingGame />;
}

function WatchedGame({ gameId }: { readonly gameId: GameId }) {
  const { view, store, chat } = useTableStore(gameId);
  const { player } = useSession();
  // The table first renders in slices, so that the page still answers to a press.
  const isFirst = useDeferredValue(view.type === "loading");
  if (isFirst) return <TableLoading />;
  switch (view.type) {
    case "loading":
      return <TableLoading />;
    case "missing":
      return <MissingGame />;
    case "broken":
      return <NoGame title="Game" text="We can't show this game. Please reload the page." />;
    case "ready":
      return (
        <GameTable
          viewModel={toTableViewModel(view, player?.id)}
          isSignedIn={player !== null}
          store={store}
          chat={chat}
        />
      );
  }
}

function TableLoading() {
  return (
    <Loading text="Loading game...">
      <TablePlaceholder />
    </Loading>
  );
}

function MissingGame() {
  return <NoGame title="No such game" text="There's no game at this address. Check the link." />;
}

function NoGame({ title, text }: { readonly title: string; readonly text: string }) {
  usePageTitle(title);
  return (
    <div className="no-game">
      <EmptyState title={title} text={text} action={<ButtonLink href="/matches">Matches</ButtonLink>} />
    </div>
  );
}
