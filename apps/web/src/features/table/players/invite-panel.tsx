import type { GameId } from "@holo/kernel/ids.ts";
import { useEffect, useState } from "react";
import { type ApiAnswer, callApi } from "../../../lib/api/api.ts";
import { retryUntilDone } from "../../../lib/api/retry.ts";
import { JOINED_NOTICE_REASON, NoticePermission } from "../../../shared/settings/notice-permission.tsx";
import { ShareLink } from "../../../shared/share/share-link.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import "./invite-panel.css";

export default function InvitePanel({ gameId }: { readonly gameId: GameId }) {
  const [answer, setAnswer] = useState<ApiAnswer<"ownInvitation"> | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks again
  useEffect(() => {
    let isWanted = true;
    const end = retryUntilDone(async () => {
      const given = await callApi("ownInvitation", { params: { id: gameId } });
      if (isWanted) setAnswer(given);
      return given.ok;
    });
    return () => {
      isWanted = false;
      end();
    };
  }, [gameId, tries]);

  return (
    <Panel className="invite-panel" label="Invite a friend">
      <h2>Invite a friend</h2>
      {answer?.ok === true && (
        <ShareLink url={`${location.origin}/invite/${answer.value.token}`} text="Play me on Holo Arena:" />
      )}
      {answer?.ok === false && (
        <p className="muted">
          {answer.refusal.text}{" "}
          <button type="button" className="link alone" onClick={() => setTries(tries + 1)}>
            Try again
          </button>
        </p>
      )}
      <p className="meta">
        Only someone with this link can join, and only while you're online. Come back here after sharing it.
      </p>
      <NoticePermission reason={JOINED_NOTICE_REASON} />
    </Panel>
  );
}
