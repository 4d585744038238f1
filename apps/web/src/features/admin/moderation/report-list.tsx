import type { ReportView } from "@holo/protocol/admin/moderation.ts";
import { useState } from "react";
import { formatMode } from "../../../shared/match/match.ts";
import { MatchBadge } from "../../../shared/match/match-badge.tsx";
import { REPORT_REASON_NAMES } from "../../../shared/people/report-reasons.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { formatRelativeTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { PlayerLink } from "../players/player-link.tsx";
import { StaffConflictNote } from "../staff-conflict-note.tsx";
import { CancelGameDialog } from "./cancel-game-dialog.tsx";
import { ChatDialog } from "./chat-dialog.tsx";
import { EndReportDialog, OUTCOME_NAMES } from "./end-report-dialog.tsx";
import "./report-list.css";

const CLOCK_MS = 30_000;

export function ReportList({ reports }: { readonly reports: readonly ReportView[] }) {
  if (reports.length === 0) return <p className="muted no-reports">No reports.</p>;
  return (
    <ul className="reports">
      {reports.map((report) => (
        <ReportRow key={report.id} report={report} />
      ))}
    </ul>
  );
}

function ReportRow({ report }: { readonly report: ReportView }) {
  const { reporter, player, match, reason, text, at, ended, heldBack } = report;
  const now = useNow(CLOCK_MS);
  const [opened, setOpened] = useState<"chat" | "cancel" | "end" | null>(null);
  const close = () => setOpened(null);
  return (
    <li>
      <div className="what">
        <p>
          <b>{REPORT_REASON_NAMES[reason]}</b> <span className="meta">{formatRelativeTime(at, now)}</span>
        </p>
        <p className="small">
          <PlayerLink player={reporter} /> about {player === null ? "the game" : <PlayerLink player={player} />}
        </p>
        {text !== "" && <p className="told">{text}</p>}
        <p className="small muted">
          {match.white.username} vs {match.black?.username ?? "nobody"}, {formatMode(match.game, match.limitMinutes)}{" "}
          <MatchBadge status={match.status} />
        </p>
        {ended !== null && (
          <p className="small">
            <Badge kind="done">{OUTCOME_NAMES[ended.outcome]}</Badge> {ended.note}{" "}
            <span className="meta">
              {ended.by}, {formatRelativeTime(ended.at, now)}
            </span>
          </p>
        )}
      </div>
      <div className="actions">
        <ButtonLink href={`/game/${match.id}`} size="small">
          See the game
        </ButtonLink>
        {heldBack === null && (
          <Button size="small" onClick={() => setOpened("chat")}>
            Read the chat
          </Button>
        )}
        {heldBack === null && match.status === "active" && (
          <Button size="small" onClick={() => setOpened("cancel")}>
            Cancel the game
          </Button>
        )}
        {ended === null &&
          (heldBack === null ? (
            <Button size="small" onClick={() => setOpened("end")}>
              End report
            </Button>
          ) : (
            <StaffConflictNote why={heldBack} />
          ))}
      </div>
      {opened === "chat" && <ChatDialog gameId={match.id} onClose={close} />}
      {opened === "cancel" && <CancelGameDialog gameId={match.id} onClose={close} />}
      {opened === "end" && <EndReportDialog id={report.id} onClose={close} />}
    </li>
  );
}
