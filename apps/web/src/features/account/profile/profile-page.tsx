import type { OwnPlayerView, ProfileView } from "@holo/protocol/accounts/session.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { Queries, refreshQueries } from "../../../lib/api/query.tsx";
import { useSession } from "../../../lib/session/session.ts";
import { useOnChange } from "../../../lib/use-on-change.ts";
import { BoardSettingsForm } from "../../../shared/board/settings/settings-form.tsx";
import { MatchRows } from "../../../shared/match/match-rows.tsx";
import { UnverifiedEmailNote } from "../../../shared/people/unverified-email-note.tsx";
import { useMayPlay } from "../../../shared/restrictions/use-may-play.ts";
import { NotificationSwitch, SoundSwitch } from "../../../shared/settings/player-switches.tsx";
import { saveSwitch } from "../../../shared/settings/switch-commands.ts";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../../ui/feedback/failure-note.tsx";
import { Loading, Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { Switch } from "../../../ui/form/switch.tsx";
import { Disc } from "../../../ui/icon/disc.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { CloseAccountPanel } from "../deletion/close-account-panel.tsx";
import { RestrictionsPanel } from "../restrictions/restrictions-panel.tsx";
import { AccountPanel } from "./account-panel.tsx";
import { ProfileStats } from "./profile-stats.tsx";
import { countTab, PROFILE_TABS, type ProfileTab, selectCancelled, selectTab } from "./profile-tabs.ts";
import { PushSetting } from "./push-setting.tsx";
import { StatsCharts } from "./stats-charts.tsx";
import "./profile-page.css";

export default function ProfilePage() {
  usePageTitle("Profile");
  return (
    <Queries>
      <Profile />
    </Queries>
  );
}

function Profile() {
  const { player, balance, openGame } = useSession();
  const mayPlay = useMayPlay();
  const [tab, setTab] = useState<ProfileTab>("all");
  const { data, isError, refetch } = useQuery({
    queryKey: ["profile", player?.id],
    queryFn: ({ signal }) => fetchApi("profile", {}, signal),
    staleTime: 0,
  });
  useOnChange(`${openGame?.gameId} ${openGame?.status}`, refreshProfile);

  if (player === null) return null;
  if (data === undefined) {
    return isError ? (
      <LoadFailure
        text="We couldn't load your profile. Please try again in a moment."
        onTryAgain={() => void refetch()}
      />
    ) : (
      <ProfileLoading />
    );
  }

  const matches = selectTab(data.matches, tab);
  const total = countTab(data.games, tab);
  const cancelled = tab === "history" ? selectCancelled(data.matches) : [];
  return (
    <>
      <ProfileHeader player={player} games={data.games} />
      {!player.emailVerified && <UnverifiedEmailNote email={player.email} />}
      <ProfileStats balance={balance} games={data.games} />
      <Tabs
        label="Your matches"
        tabs={PROFILE_TABS.map(({ id, text }) => ({ id, text, count: countListed(data, id) }))}
        value={tab}
        onChange={setTab}
      >
        {matches.length > 0 || cancelled.length > 0 ? (
          <>
            <MatchRows matches={matches} playerId={player.id} />
            {matches.length < total && (
              <p className="meta">
                The newest {matches.length} of {total} matches.
              </p>
            )}
            {cancelled.length > 0 && <h3 className="cancelled-matches">Cancelled, not counted</h3>}
            <MatchRows matches={cancelled} playerId={player.id} />
          </>
        ) : (
          <EmptyState
            text={PROFILE_TABS.find(({ id }) => id === tab)?.empty ?? ""}
            action={mayPlay && openGame === null && <ButtonLink href="/create-match">Create Match</ButtonLink>}
          />
        )}
      </Tabs>
      <StatsCharts playerId={player.id} />
      <div className="profile-settings">
        <BoardSettingsPanel />
        {player.notificationsEnabled && <PushSetting playerId={player.id} />}
        <RestrictionsPanel />
        <AccountPanel player={player} />
        <CloseAccountPanel playerId={player.id} />
      </div>
    </>
  );
}

/** A tab shows no number beside a shorter list. */
function countListed({ games, matches }: ProfileView, tab: ProfileTab): number | undefined {
  const total = countTab(games, tab);
  return selectTab(matches, tab).length === total ? total : undefined;
}

function refreshProfile(): void {
  void refreshQueries(["profile"]);
}

interface ProfileHeaderProps {
  readonly player: OwnPlayerView;
  readonly games: ProfileView["games"];
}

function ProfileHeader({ player, games }: ProfileHeaderProps) {
  return (
    <div className="profile-head">
      <Disc seat={1} crowned size={72} />
      <div className="who">
        <h1 className="unbroken" translate="no">
          {player.username}
        </h1>
        <p className="badges">
          <Badge kind="pending">{games.pending} pending</Badge>
          <Badge kind="active">{games.active} active</Badge>
          <Badge kind="done">{games.completed} completed</Badge>
          {games.free > 0 && <Badge kind="done">{games.free} of them free</Badge>}
        </p>
      </div>
      <div className="settings">
        <NotificationSwitch />
        <SoundSwitch />
        <Switch
          label="Takebacks"
          on={player.takebacksEnabled}
          onChange={(takebacksEnabled) => void saveSwitch({ takebacksEnabled })}
        />
      </div>
    </div>
  );
}

function BoardSettingsPanel() {
  return (
    <Panel className="profile-board" label="Board settings">
      <h2>Board settings</h2>
      <p className="meta">Kept on this device.</p>
      <BoardSettingsForm />
    </Panel>
  );
}

function ProfileLoading() {
  return (
    <Loading text="Loading profile...">
      <div className="profile-loading">
        <Skeleton width="240px" height="72px" />
        <Skeleton height="94px" />
        <Skeleton height="80px" />
        <Skeleton height="80px" />
      </div>
    </Loading>
  );
}
