import type { FoundPlayerView } from "@holo/protocol/admin/moderation.ts";
import { type SubmitEvent, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { fetchApi } from "../../../lib/api/api.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { Button } from "../../../ui/button/button.tsx";
import { ShowMore } from "../../../ui/data/show-more.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { toLengthFault } from "../../../ui/form/characters.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { AdminPage } from "../admin-page.tsx";
import { adminKey } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { StaffConflictNote } from "../staff-conflict-note.tsx";
import { PlayerDetails } from "./player-details.tsx";
import { RoleBadge } from "./role-badge.tsx";
import "./players-page.css";

const TEXT_MAX = 320;

/** The search text is in the address, so that going back from a player restores it. */
function PlayerSearch({ playerId }: { readonly playerId: string }) {
  const wanted = new URLSearchParams(useSearch()).get("text") ?? "";
  const [, navigate] = useLocation();
  const [text, setText] = useState(wanted);

  function find(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (toLengthFault(text, TEXT_MAX) !== undefined) return;
    navigate(`/admin/players?${new URLSearchParams({ text: text.trim() })}`);
  }

  return (
    <>
      <PageHead title="Players" />
      <form className="player-search" noValidate onSubmit={find}>
        <TextField
          label="Name, email or id"
          labelHidden
          icon="search"
          placeholder="Name, email or id"
          charactersMax={TEXT_MAX}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" kind="primary">
          Find
        </Button>
      </form>
      {wanted !== "" && (
        <FoundPlayers
          key={wanted}
          playerId={playerId}
          text={wanted}
          onClear={() => {
            setText("");
            navigate("/admin/players");
          }}
        />
      )}
    </>
  );
}

interface FoundPlayersProps {
  readonly playerId: string;
  readonly text: string;
  readonly onClear: () => void;
}

function FoundPlayers({ playerId, text, onClear }: FoundPlayersProps) {
  const query = usePages({
    queryKey: adminKey(playerId, "players", text),
    load: (after, signal) => fetchApi("searchPlayers", { query: { text, after } }, signal),
    toRows: (page) => page.players,
  });
  return (
    <Loaded query={query} loading="Searching..." failed="We couldn't load the players.">
      {(players) => (
        <>
          {players.length === 0 && (
            <EmptyState
              text="No player has this name, email or id."
              action={<Button onClick={onClear}>Clear search</Button>}
            />
          )}
          <ul className="player-list">
            {players.map((player) => (
              <FoundPlayer key={player.id} player={player} />
            ))}
          </ul>
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}

function FoundPlayer({ player }: { readonly player: FoundPlayerView }) {
  const { id, username, email, isBanned, role, heldBack } = player;
  const isOpen = heldBack === null || heldBack === "own_matter";
  const summary = (
    <>
      <span>
        <b>{username}</b>
        <span className="meta">{email}</span>
      </span>
      <span className="marks">
        <RoleBadge role={role} />
        {isBanned && <Badge kind="lost">Blocked</Badge>}
      </span>
    </>
  );
  return (
    <li>
      {isOpen ? (
        <Link href={`/admin/players?id=${id}`} className="found">
          {summary}
        </Link>
      ) : (
        <div className="found">
          {summary}
          <StaffConflictNote why={heldBack} />
        </div>
      )}
    </li>
  );
}

export default function PlayersPage() {
  const chosen = new URLSearchParams(useSearch()).get("id");
  return (
    <AdminPage title="Players">
      {(playerId) =>
        chosen === null ? (
          <PlayerSearch key={playerId} playerId={playerId} />
        ) : (
          <PlayerDetails key={`${playerId} ${chosen}`} viewerId={playerId} shownId={chosen} />
        )
      }
    </AdminPage>
  );
}
