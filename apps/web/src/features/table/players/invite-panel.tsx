import type { GameId } from "@holo/kernel/ids.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { JOINED_NOTICE_REASON, NoticePermission } from "../../../shared/settings/notice-permission.tsx";
import { ShareLink } from "../../../shared/share/share-link.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import "./invite-panel.css";

export default function InvitePanel({ gameId }: { readonly gameId: GameId }) {
  const [url, setUrl] = useState<string | null>(null);

  useEffect(() => {
    let isWanted = true;
    void callApi("ownInvitation", { params: { id: gameId } }).then((answer) => {
      if (isWanted && answer.ok) setUrl(`${location.origin}/invite/${answer.value.token}`);
    });
    return () => {
      isWanted = false;
    };
  }, [gameId]);

  return (
    <Panel className="invite-panel" label="Invite a friend">
      <h2>Invite a friend</h2>
      {url !== null && <ShareLink url={url} text="Play me on Holo Arena:" />}
      <p className="meta">
        Only someone with this link can join, and only while you're online. Come back here after sharing it.
      </p>
      <NoticePermission reason={JOINED_NOTICE_REASON} />
    </Panel>
  );
}
