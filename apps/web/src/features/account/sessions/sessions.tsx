import type { OwnSessionView } from "@holo/protocol/accounts/accounts.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi, fetchApi } from "../../../lib/api/api.ts";
import { queryClient } from "../../../lib/api/query.tsx";
import { loadSession, useSession } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Loading, Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { ConfirmDialog } from "../../../ui/overlay/confirm-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { formatRelativeTimeWithin } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import "./sessions.css";

export function toSessionsKey(playerId: string): readonly string[] {
  return ["sessions", playerId];
}

export function Sessions({ playerId }: { readonly playerId: string }) {
  const queryKey = toSessionsKey(playerId);
  const { data, isError, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => fetchApi("sessions", {}, signal) });
  const [isEndingAll, setEndingAll] = useState(false);

  async function end(id: string) {
    const answer = await callApi("endSession", { body: { id } });
    if (!answer.ok) {
      notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
      return;
    }
    queryClient.setQueryData(queryKey, answer.value);
    notify({ kind: "done", title: "Logged out there" });
  }

  return (
    <div className="sessions">
      <h3>Where you're logged in</h3>
      {data === undefined ? (
        isError ? (
          <p className="muted">
            We couldn't load your devices.{" "}
            <button type="button" className="link alone" onClick={() => void refetch()}>
              Try again
            </button>
          </p>
        ) : (
          <Loading text="Loading devices...">
            <Skeleton height="56px" />
          </Loading>
        )
      ) : (
        <ul>
          {data.sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={end} />
          ))}
        </ul>
      )}
      <Button onClick={() => setEndingAll(true)}>Log out everywhere</Button>
      {isEndingAll && <LogOutEverywhereDialog onClose={() => setEndingAll(false)} />}
    </div>
  );
}

interface SessionRowProps {
  readonly session: OwnSessionView;
  readonly onEnd: (id: string) => Promise<void>;
}

/** The server updates `seenAt` only every few minutes, so recent means in use. */
const IN_USE_MS = 7 * 60_000;

function SessionRow({ session, onEnd }: SessionRowProps) {
  const { id, device, startedAt, seenAt, isCurrent } = session;
  const now = useNow(30_000);
  const [isEnding, setEnding] = useState(false);
  const seen =
    isCurrent || now - seenAt < IN_USE_MS ? "In use now" : `Last seen ${formatRelativeTimeWithin(seenAt, now)}`;

  async function end() {
    setEnding(true);
    await onEnd(id);
    setEnding(false);
  }

  return (
    <li>
      <div className="what">
        <b>{device}</b>
        <span className="small muted">
          {seen}, logged in {formatRelativeTimeWithin(startedAt, now)}
        </span>
      </div>
      {isCurrent ? (
        <Badge kind="active">This device</Badge>
      ) : (
        <Button
          size="small"
          busy={isEnding && "Logging out..."}
          onClick={() => void end()}
          aria-label={`Log out ${device}`}
        >
          Log out
        </Button>
      )}
    </li>
  );
}

function LogOutEverywhereDialog({ onClose }: { readonly onClose: () => void }) {
  const { openGame } = useSession();
  const [isEnding, setEnding] = useState(false);

  async function end() {
    setEnding(true);
    const answer = await callApi("endAllSessions", { body: {} });
    if (answer.ok) {
      notify({ kind: "done", title: "Logged out everywhere" });
      await loadSession();
      return;
    }
    setEnding(false);
    notify({ kind: "failed", title: "Logout failed", text: "An error occurred during logout" });
  }

  return (
    <ConfirmDialog
      title="Log Out Everywhere?"
      cancelText="Stay"
      confirmText="Log Out All"
      kind="danger"
      busyText={isEnding && "Logging out..."}
      onConfirm={() => void end()}
      onClose={onClose}
    >
      <p>This logs out all your devices, including this one.</p>
      {openGame?.status === "active" && (
        <p>
          <b className="strong">You are in a running game:</b> it goes on without you, and so does your clock. Log in
          again to keep playing.
        </p>
      )}
    </ConfirmDialog>
  );
}
