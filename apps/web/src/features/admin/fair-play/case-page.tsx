import type { FairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useRoute } from "wouter";
import { fetchApi } from "../../../lib/api/api.ts";
import { queryClient } from "../../../lib/api/query.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { useNow } from "../../../ui/text/use-now.ts";
import { AdminPage } from "../admin-page.tsx";
import { adminKey } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { PlayerLink } from "../players/player-link.tsx";
import { CaseCluster } from "./case-cluster.tsx";
import { CaseDecision } from "./case-decision.tsx";
import { CaseDialog } from "./case-dialog.tsx";
import { CaseDispute } from "./case-dispute.tsx";
import { CaseGames } from "./case-games.tsx";
import { CaseSignals } from "./case-signals.tsx";
import { type CaseAct, KIND_NAMES, KIND_TEXTS, STATE_BADGES } from "./case-texts.ts";
import { CaseTimeline } from "./case-timeline.tsx";
import { FlowGraph } from "./flow/flow-graph.tsx";
import { TimeLeft } from "./time-left.tsx";
import "./case-page.css";

const CLOCK_MS = 30_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function Case({ playerId, id }: { readonly playerId: string; readonly id: string }) {
  const queryKey = adminKey(playerId, "fair-play-case", id);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchApi("fairPlayCase", { params: { id } }, signal),
    retry: false,
  });
  if (query.data === undefined && isUnknown(query.error)) return <MissingCase />;
  return (
    <Loaded query={query} loading="Loading the case..." failed="We couldn't load this case.">
      {(shown) => (
        <CaseView
          shown={shown}
          onChanged={(changed) => queryClient.setQueryData<FairPlayCaseView>(queryKey, changed)}
          onRefused={() => void query.refetch()}
        />
      )}
    </Loaded>
  );
}

function isUnknown(fault: Error | null): boolean {
  return (fault?.cause as { readonly code?: string } | undefined)?.code === "unknown_case";
}

function MissingCase() {
  return (
    <EmptyState
      title="No such case"
      text="There's no case at this address, or it's about you."
      action={<ButtonLink href="/admin/fair-play">Fair Play</ButtonLink>}
    />
  );
}

interface CaseViewProps {
  readonly shown: FairPlayCaseView;
  readonly onChanged: (changed: FairPlayCaseView) => void;
  readonly onRefused: () => void;
}

function CaseView({ shown, onChanged, onRefused }: CaseViewProps) {
  const now = useNow(CLOCK_MS);
  const [act, setAct] = useState<CaseAct | null>(null);
  const { kind, state, player, untilAt, graph, findings, games, cluster, disputed } = shown;
  const { word, kind: badge } = STATE_BADGES[state];
  return (
    <div className="fair-play-case">
      <header>
        <Link href="/admin/fair-play" className="link alone">
          <Icon name="previous" />
          All cases
        </Link>
        <PageHead title={KIND_NAMES[kind]}>
          <Badge kind={badge}>{word}</Badge>
          {state === "open" && untilAt !== null && <TimeLeft untilAt={untilAt} now={now} />}
        </PageHead>
        <p>
          About <PlayerLink player={player} />
        </p>
        <p className="muted small">{KIND_TEXTS[kind]}</p>
        <a href="#decision" className="link alone to-decision">
          To the decision
        </a>
      </header>
      <div className="case-main">
        {disputed !== null && <CaseDispute disputed={disputed} />}
        {graph.edges.length > 0 && (
          <Panel label="Flow of coins">
            <h2>Flow of coins</h2>
            <FlowGraph graph={graph} />
          </Panel>
        )}
        {kind !== "dispute" && <CaseSignals findings={findings} />}
        {games.length > 0 && <CaseGames games={games} gamesLeftOut={shown.gamesLeftOut} now={now} />}
      </div>
      <div className="case-side" id="decision">
        <CaseDecision shown={shown} now={now} onAct={setAct} />
        {findings.length > 0 && <CaseCluster cluster={cluster} />}
        <CaseTimeline shown={shown} />
      </div>
      {act !== null && (
        <CaseDialog act={act} shown={shown} onDone={onChanged} onRefused={onRefused} onClose={() => setAct(null)} />
      )}
    </div>
  );
}

export default function CasePage() {
  const [, params] = useRoute<{ id: string }>("/admin/fair-play/:id");
  const id = params?.id ?? "";
  return (
    <AdminPage title="Fair Play">
      {(playerId) => (UUID.test(id) ? <Case key={`${playerId} ${id}`} playerId={playerId} id={id} /> : <MissingCase />)}
    </AdminPage>
  );
}
