import { useRoute } from "wouter";
import { useSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { Loading } from "../../ui/skeleton.tsx";
import { GameTable } from "./game-table.tsx";
import { toScene } from "./scene.ts";
import { useTableStore } from "./use-table-store.ts";
import "./game-page.css";
import "./sideways.css";

export default function GamePage() {
  const [, params] = useRoute<{ gameId: string }>("/game/:gameId");
  const gameId = params?.gameId ?? "";
  return <WatchedGame key={gameId} gameId={gameId} />;
}

function WatchedGame({ gameId }: { readonly gameId: string }) {
  const { view, store, chat } = useTableStore(gameId);
  const { player } = useSession();
  switch (view.type) {
    case "loading":
      return (
        <div className="no-game">
          <Loading text="Loading game..." />
        </div>
      );
    case "missing":
      return <NoGame title="No such game" text="There is no game at this address. It may have been mistyped." />;
    case "broken":
      return <NoGame title="Game" text="This game cannot be shown on this page. Please load it again." />;
    case "ready":
      return <GameTable scene={toScene(view, player?.id)} isSignedIn={player !== null} store={store} chat={chat} />;
  }
}

function NoGame({ title, text }: { readonly title: string; readonly text: string }) {
  usePageTitle(title);
  return (
    <div className="no-game">
      <h1 className="visually-hidden">{title}</h1>
      <Empty text={text} action={<ButtonLink href="/matches">Matches</ButtonLink>} />
    </div>
  );
}
