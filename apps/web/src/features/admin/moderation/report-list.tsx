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

interface OpenedDialog {
  readonly type: "chat" | "cancel" | "end";
  readonly report: ReportView;
}

export function ReportList({ reports }: { readonly reports: readonly ReportView[] }) {
  // Not of a row, which leaves when another admin ends the report: what staff wrote stays.
  const [opened, setOpened] = useState<OpenedDialog | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      {reports.length === 0 ? (
        <p className="muted no-reports">No reports.</p>
      ) : (
        <ul className="reports">
          {reports.map((report) => (
            <ReportRow key={report.id} report={report} onOpen={(type) => setOpened({ type, report })} />
          ))}
        </ul>
      )}
      {opened?.type === "chat" && <ChatDialog gameId={opened.report.match.id} onClose={close} />}
      {opened?.type === "cancel" && <CancelGameDialog gameId={opened.report.match.id} onClose={close} />}
      {opened?.type === "end" && <EndReportDialog id={opened.report.id} onClose={close} />}
    </>
  );
}

interface ReportRowProps {
  readonly report: ReportView;
  readonly onOpen: (type: OpenedDialog["type"]) => void;
}

function ReportRow({ report, onOpen }: ReportRowProps) {
  const { reporter, player, match, reason, text, at, ended, heldBack } = report;
  const now = useNow(CLOCK_MS);
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
          <Button size="small" onClick={() => onOpen("chat")}>
            Read the chat
          </Button>
        )}
        {heldBack === null && match.status === "active" && (
          <Button size="small" onClick={() => onOpen("cancel")}>
            Cancel the game
          </Button>
        )}
        {ended === null &&
          (heldBack === null ? (
            <Button size="small" onClick={() => onOpen("end")}>
              End report
            </Button>
          ) : (
            <StaffConflictNote why={heldBack} />
          ))}
      </div>
    </li>
  );
}
