import type { FoundPlayerView } from "@holo/protocol/house-views.ts";
import { type SubmitEvent, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { fetchApi } from "../../lib/api.ts";
import { usePages } from "../../lib/use-pages.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Awaited } from "./awaited.tsx";
import { HeldBackNote } from "./held-back.tsx";
import { RoleBadge } from "./role-badge.tsx";
import { adminKey } from "./use-overview.ts";
import "./find-players.css";

/** The search stands in the address, so that the way back from a player leads to it. */
export function FindPlayers({ playerId }: { readonly playerId: string }) {
  const wanted = new URLSearchParams(useSearch()).get("text") ?? "";
  const [, navigate] = useLocation();
  const [text, setText] = useState(wanted);

  function find(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    navigate(`/admin/players?${new URLSearchParams({ text: text.trim() })}`);
  }

  return (
    <>
      <PageHead title="Players" />
      <form className="find-players" noValidate onSubmit={find}>
        <TextField
          label="Name, email or id"
          labelHidden
          icon="search"
          placeholder="Name, email or id"
          maxLength={320}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" kind="primary">
          Find
        </Button>
      </form>
      {wanted !== "" && <FoundPlayers key={wanted} playerId={playerId} text={wanted} />}
    </>
  );
}

function FoundPlayers({ playerId, text }: { readonly playerId: string; readonly text: string }) {
  const query = usePages({
    queryKey: adminKey(playerId, "players", text),
    load: (after, signal) => fetchApi("findPlayers", { query: { text, after } }, signal),
    toRows: (page) => page.players,
  });
  return (
    <Awaited query={query} loading="Looking..." failed="The players could not be loaded.">
      {(players) => (
        <>
          {players.length === 0 && <p className="muted">Nobody has such a name, address or id.</p>}
          <ul className="found-players">
            {players.map((player) => (
              <FoundPlayer key={player.id} player={player} />
            ))}
          </ul>
          <ShowMore query={query} />
        </>
      )}
    </Awaited>
  );
}

function FoundPlayer({ player }: { readonly player: FoundPlayerView }) {
  const { id, username, email, isBlocked, role, heldBack } = player;
  const isOpen = heldBack === null || heldBack === "own_matter";
  const words = (
    <>
      <span>
        <b>{username}</b>
        <span className="meta">{email}</span>
      </span>
      <span className="marks">
        <RoleBadge role={role} />
        {isBlocked && <Badge kind="lost">Blocked</Badge>}
      </span>
    </>
  );
  return (
    <li>
      {isOpen ? (
        <Link href={`/admin/players?id=${id}`} className="found">
          {words}
        </Link>
      ) : (
        <div className="found">
          {words}
          <HeldBackNote why={heldBack} />
        </div>
      )}
    </li>
  );
}
