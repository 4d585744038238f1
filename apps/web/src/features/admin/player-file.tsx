import { formatCoins } from "@holo/kernel/money.ts";
import { HELD_BACK, type PlayerFileView } from "@holo/protocol/house-views.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi, isRefusalView } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Collapsible } from "../../ui/collapsible.tsx";
import { PaymentRow } from "../../ui/money/payment-row.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Receipt, ReceiptRow } from "../../ui/receipt.tsx";
import { RefusalNote } from "../../ui/refusal-note.tsx";
import { formatMoment, formatRelativeTimeWithin } from "../../ui/relative-time.ts";
import { useNow } from "../../ui/use-now.ts";
import { Awaited } from "./awaited.tsx";
import { BlockDialog } from "./block-dialog.tsx";
import { CancelGameDialog } from "./cancel-game-dialog.tsx";
import { HeldBackNote } from "./held-back.tsx";
import { PlayerEntries } from "./player-entries.tsx";
import { PlayerGames } from "./player-games.tsx";
import { ReportList } from "./reports.tsx";
import { RoleBadge } from "./role-badge.tsx";
import { adminKey, LIVE_MS } from "./use-overview.ts";
import "./player-file.css";

const CLOCK_MS = 30_000;

interface PlayerFileProps {
  /** Who looks. */
  readonly playerId: string;
  readonly chosen: string;
}

/** Everything about one player that an operator may need. */
export function PlayerFile({ playerId, chosen }: PlayerFileProps) {
  const query = useQuery({
    queryKey: adminKey(playerId, "player", chosen),
    queryFn: ({ signal }) => fetchApi("playerFile", { params: { id: chosen } }, signal),
    refetchInterval: LIVE_MS,
  });
  const cause = query.error?.cause;
  // also where it was shown before: who is looked at was made an admin meanwhile
  if (isRefusalView(cause) && HELD_BACK.some((why) => why === cause.code)) {
    return (
      <>
        <PageHead title="Players" />
        <RefusalNote words={cause} />
      </>
    );
  }
  return (
    <Awaited query={query} loading="Loading the player..." failed="This player could not be loaded.">
      {(file) => <File file={file} playerId={playerId} />}
    </Awaited>
  );
}

function File({ file, playerId }: { readonly file: PlayerFileView; readonly playerId: string }) {
  const { player, payments, sessions, reports } = file;
  const now = useNow(CLOCK_MS);
  return (
    <>
      <PageHead title={player.username}>
        {player.isBlocked && <Badge kind="lost">Blocked</Badge>}
        <RoleBadge role={player.role} />
      </PageHead>
      <div className="player-file">
        <Facts file={file} now={now} />
        <Collapsible title="Games" startsOpen>
          <PlayerGames playerId={playerId} chosen={player.id} />
        </Collapsible>
        <Collapsible title="Statement">
          <PlayerEntries playerId={playerId} chosen={player.id} />
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

interface FactsProps {
  readonly file: PlayerFileView;
  readonly now: number;
}

function Facts({ file: { player, balance, openGame, gameHeldBack, limits }, now }: FactsProps) {
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
        <HeldBackNote why={player.heldBack} />
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
      {opened === "block" && <BlockDialog playerId={player.id} isBlocked={player.isBlocked} onClose={close} />}
      {opened === "cancel" && openGame !== null && <CancelGameDialog gameId={openGame.gameId} onClose={close} />}
    </Panel>
  );
}
