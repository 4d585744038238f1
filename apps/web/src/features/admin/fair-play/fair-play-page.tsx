import { formatCoins } from "@holo/kernel/money.ts";
import type { ListedFairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { useState } from "react";
import { Link } from "wouter";
import { fetchApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { ShowMore } from "../../../ui/data/show-more.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { formatRelativeTimeWithin } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { AdminPage } from "../admin-page.tsx";
import { adminKey, REFETCH_MS } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { KIND_NAMES, STATE_BADGES } from "./case-texts.ts";
import { TimeLeft } from "./time-left.tsx";
import "./fair-play-page.css";

const TABS = [
  { id: "open", text: "Open" },
  { id: "ended", text: "Ended" },
] as const;
type Shown = (typeof TABS)[number]["id"];
const CLOCK_MS = 30_000;

function Cases({ playerId }: { readonly playerId: string }) {
  const [state, setState] = useState<Shown>("open");
  return (
    <>
      <PageHead title="Fair Play" />
      <p className="muted cases-lead">
        Held coins are sent by themselves after 72 hours, so the top of the list is the most urgent. No signal is a
        proof: a strong player who beats a friend all evening looks the same. Check flow and games, then decide.
      </p>
      <Tabs label="Cases" tabs={TABS} value={state} onChange={setState}>
        <CasePages key={state} playerId={playerId} state={state} />
      </Tabs>
    </>
  );
}

function CasePages({ playerId, state }: { readonly playerId: string; readonly state: Shown }) {
  const now = useNow(CLOCK_MS);
  const query = usePages({
    queryKey: adminKey(playerId, "fair-play-cases", state),
    load: (offset, signal) => fetchApi("fairPlayCases", { query: { state, offset } }, signal),
    toRows: (page) => page.cases,
    refetchInterval: REFETCH_MS,
  });
  return (
    <Loaded query={query} loading="Loading cases..." failed="We couldn't load the cases.">
      {(cases) => (
        <>
          {cases.length === 0 ? (
            <p className="muted no-cases">
              {state === "open" ? "No case is open, and no appeal waits." : "No case has ended yet."}
            </p>
          ) : (
            <ul className="fair-play-cases">
              {cases.map((shown) => (
                <CaseRow key={shown.id} shown={shown} now={now} />
              ))}
            </ul>
          )}
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}

function CaseRow({ shown, now }: { readonly shown: ListedFairPlayCaseView; readonly now: number }) {
  const { id, kind, state, player, openedAt, endedAt, untilAt, coins } = shown;
  const { word, kind: badge } = STATE_BADGES[state];
  return (
    <li>
      <Link href={`/admin/fair-play/${id}`}>
        <span className="what">
          <b className="unbroken" translate="no">
            {player.username}
          </b>
          <span className="small">{KIND_NAMES[kind]}</span>
          <span className="small muted">
            {endedAt === null
              ? `Opened ${formatRelativeTimeWithin(openedAt, now)}`
              : `Ended ${formatRelativeTimeWithin(endedAt, now)}`}
          </span>
        </span>
        <span className="marks">
          {state !== "open" && <Badge kind={badge}>{word}</Badge>}
          {state === "open" && shown.proposal !== null && <Badge kind="lost">Forfeit proposed</Badge>}
          {shown.appeal === "open" && <Badge kind="pending">Appeal to answer</Badge>}
          {state === "open" && shown.hasMessage && <Badge kind="active">The player wrote</Badge>}
        </span>
        <span className="sum">
          {kind !== "review" && <b>{formatCoins(readCoins(coins))} HC</b>}
          {state === "open" && (
            <span className="small">
              {untilAt === null ? "Nothing held" : <TimeLeft untilAt={untilAt} now={now} />}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

export default function FairPlayPage() {
  return <AdminPage title="Fair Play">{(playerId) => <Cases key={playerId} playerId={playerId} />}</AdminPage>;
}
