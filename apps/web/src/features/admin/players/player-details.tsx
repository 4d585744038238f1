import { formatCoins } from "@holo/kernel/money.ts";
import type { PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import { HELD_BACK } from "@holo/protocol/report-terms.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi, isRefusalView } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { PaymentRow } from "../../../shared/money/payment-row.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { RefusalNote } from "../../../ui/feedback/refusal-note.tsx";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatMoment, formatRelativeTimeWithin } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { adminKey, REFETCH_MS } from "../admin-queries.ts";
import { ProtectedPlayerNote } from "../admins/protected-player-note.tsx";
import { RoleBadge } from "../admins/role-badge.tsx";
import { Loaded } from "../loaded.tsx";
import { CancelGameDialog } from "../moderation/cancel-game-dialog.tsx";
import { ReportList } from "../moderation/reports.tsx";
import { BanDialog } from "./ban-dialog.tsx";
import { PlayerGames } from "./player-games.tsx";
import { PlayerStatement } from "./player-statement.tsx";
import "./player-details.css";

const CLOCK_MS = 30_000;

interface PlayerDetailsProps {
  /** The admin who views the page. */
  readonly viewerId: string;
  readonly shownId: string;
}

/** One player's account, games, money, reports and sessions. */
export function PlayerDetails({ viewerId, shownId }: PlayerDetailsProps) {
  const query = useQuery({
    queryKey: adminKey(viewerId, "player", shownId),
    queryFn: ({ signal }) => fetchApi("playerFile", { params: { id: shownId } }, signal),
    refetchInterval: REFETCH_MS,
  });
  const cause = query.error?.cause;
  // Data may have been shown before: the player can become an admin meanwhile.
  if (isRefusalView(cause) && HELD_BACK.some((why) => why === cause.code)) {
    return (
      <>
        <PageHead title="Players" />
        <RefusalNote refusal={cause} />
      </>
    );
  }
  return (
    <Loaded query={query} loading="Loading the player..." failed="This player could not be loaded.">
      {(file) => <Details file={file} playerId={viewerId} />}
    </Loaded>
  );
}

function Details({ file, playerId }: { readonly file: PlayerFileView; readonly playerId: string }) {
  const { player, payments, sessions, reports } = file;
  const now = useNow(CLOCK_MS);
  return (
    <>
      <PageHead title={player.username}>
        {player.isBlocked && <Badge kind="lost">Blocked</Badge>}
        <RoleBadge role={player.role} />
      </PageHead>
      <div className="player-file">
        <AccountPanel file={file} now={now} />
        <Collapsible title="Games" startsOpen>
          <PlayerGames viewerId={playerId} shownId={player.id} />
        </Collapsible>
        <Collapsible title="Statement">
          <PlayerStatement viewerId={playerId} shownId={player.id} />
        </Collapsible>
        <Collapsible title="Payments" note={<Count of={payments} />}>
          {payments.length === 0 && <p className="muted">There are none.</p>}
          <ul>
            {payments.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} now={now} />
            ))}
          </ul>
        </Collapsible>
        <Collapsible title="Reports about this player" note={<Count of={reports} />}>
          <ReportList reports={reports} />
        </Collapsible>
        <Collapsible title="Logged in on" note={<Count of={sessions} />}>
          {sessions.length === 0 && <p className="muted">Nowhere.</p>}
          <ul className="file-sessions">
            {sessions.map(({ device, startedAt, seenAt }) => (
              <li key={`${device} ${startedAt}`}>
                <b>{device}</b>
                <span className="meta">
                  since {formatMoment(startedAt, now)}, last seen {formatRelativeTimeWithin(seenAt, now)}
                </span>
              </li>
            ))}
          </ul>
        </Collapsible>
      </div>
    </>
  );
}

function Count({ of: { length } }: { readonly of: readonly unknown[] }) {
  return <span className="meta">{length}</span>;
}

interface AccountPanelProps {
  readonly file: PlayerFileView;
  readonly now: number;
}

function AccountPanel({ file: { player, balance, openGame, gameHeldBack, limits }, now }: AccountPanelProps) {
  const [opened, setOpened] = useState<"block" | "cancel" | null>(null);
  const close = () => setOpened(null);
  return (
    <Panel label="Account">
      <p className="whose">
        <b>{player.email}</b>
        <span className="meta">{player.id}</span>
      </p>
      <Receipt>
        <ReceiptRow term="Email verified">{player.isVerified ? "Yes" : "No"}</ReceiptRow>
        <ReceiptRow term="Registered">{formatMoment(player.sinceAt, now)}</ReceiptRow>
        <ReceiptRow term="Balance">{formatCoins(readCoins(balance))} HC</ReceiptRow>
        <ReceiptRow term="Open game">{openGame === null ? "None" : openGame.status}</ReceiptRow>
        {limits.excludedUntil !== null && (
          <ReceiptRow term="On a break until">{formatMoment(limits.excludedUntil, now)}</ReceiptRow>
        )}
        {limits.closingAt !== null && (
          <ReceiptRow term="Closing since">{formatMoment(limits.closingAt, now)}</ReceiptRow>
        )}
      </Receipt>
      {limits.blockedFor !== null && (
        <p className="blocked-for">
          <b>Blocked.</b> {limits.blockedFor}
        </p>
      )}
      {player.heldBack !== null ? (
        <ProtectedPlayerNote why={player.heldBack} />
      ) : (
        <div className="acts">
          <Button size="small" onClick={() => setOpened("block")}>
            {player.isBlocked ? "Unblock" : "Block"}
          </Button>
          {openGame?.status === "active" && gameHeldBack === null && (
            <Button size="small" onClick={() => setOpened("cancel")}>
              Cancel their game
            </Button>
          )}
        </div>
      )}
      {opened === "block" && <BanDialog playerId={player.id} isBanned={player.isBlocked} onClose={close} />}
      {opened === "cancel" && openGame !== null && <CancelGameDialog gameId={openGame.gameId} onClose={close} />}
    </Panel>
  );
}
