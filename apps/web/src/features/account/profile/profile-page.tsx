import type { OwnPlayerView, ProfileView } from "@holo/protocol/accounts/session.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { Queries, refreshQueries } from "../../../lib/api/query.tsx";
import { useSession } from "../../../lib/session/session.ts";
import { useOnChange } from "../../../lib/use-on-change.ts";
import { BoardSettingsForm } from "../../../shared/board/settings/settings-form.tsx";
import { MatchRows } from "../../../shared/match/match-rows.tsx";
import { RatedPlay } from "../../../shared/people/rated-play.tsx";
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

type Section = "record" | "games" | "settings" | "account";

const SECTIONS: readonly { readonly id: Section; readonly text: string }[] = [
  { id: "record", text: "Record" },
  { id: "games", text: "Games" },
  { id: "settings", text: "Settings" },
  { id: "account", text: "Account" },
];

/** The limits are a panel of the settings, which links lead to. */
function readSection(): Section {
  const name = location.hash.slice(1);
  return name === "limits" ? "settings" : (SECTIONS.find(({ id }) => id === name)?.id ?? "record");
}

function Profile() {
  const { player, openGame } = useSession();
  const [section, setSection] = useState(readSection);
  const { data, isError, refetch } = useQuery({
    queryKey: ["profile", player?.id],
    queryFn: ({ signal }) => fetchApi("profile", {}, signal),
    staleTime: 0,
  });
  useOnChange(`${openGame?.gameId} ${openGame?.status}`, refreshProfile);

  useEffect(() => {
    const follow = () => setSection(readSection());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  function open(next: Section): void {
    setSection(next);
    // A reload stays on the tab.
    history.replaceState(history.state, "", next === "record" ? location.pathname : `#${next}`);
  }

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

  return (
    <>
      <ProfileHeader player={player} games={data.games} />
      {!player.emailVerified && <UnverifiedEmailNote email={player.email} />}
      <Tabs label="Your profile" tabs={SECTIONS} value={section} onChange={open}>
        {section === "record" && <OwnRecord player={player} games={data.games} />}
        {section === "games" && <OwnGames data={data} playerId={player.id} />}
        {section === "settings" && <OwnSettings player={player} />}
        {section === "account" && (
          <div className="profile-panels">
            <AccountPanel player={player} />
            <CloseAccountPanel playerId={player.id} />
          </div>
        )}
      </Tabs>
    </>
  );
}

interface OwnRecordProps {
  readonly player: OwnPlayerView;
  readonly games: ProfileView["games"];
}

function OwnRecord({ player, games }: OwnRecordProps) {
  const { balance } = useSession();
  const { data } = useQuery({
    queryKey: ["profile", player.id, "rated"],
    queryFn: ({ signal }) => fetchApi("player", { params: { id: player.id } }, signal),
    staleTime: 0,
  });
  return (
    <div className="profile-record">
      <ProfileStats balance={balance} games={games} />
      {data === undefined ? (
        <Skeleton height="240px" />
      ) : (
        <RatedPlay rated={data.rated} empty="Your rating begins with your first game." />
      )}
      <StatsCharts playerId={player.id} />
    </div>
  );
}

interface OwnGamesProps {
  readonly data: ProfileView;
  readonly playerId: string;
}

function OwnGames({ data, playerId }: OwnGamesProps) {
  const { openGame } = useSession();
  const mayPlay = useMayPlay();
  const [tab, setTab] = useState<ProfileTab>("all");
  const matches = selectTab(data.matches, tab);
  const total = countTab(data.games, tab);
  const cancelled = tab === "history" ? selectCancelled(data.matches) : [];
  return (
    <Tabs
      label="Your matches"
      tabs={PROFILE_TABS.map(({ id, text }) => ({ id, text, count: countListed(data, id) }))}
      value={tab}
      onChange={setTab}
    >
      {matches.length > 0 || cancelled.length > 0 ? (
        <>
          <MatchRows matches={matches} playerId={playerId} />
          {matches.length < total && (
            <p className="meta">
              The newest {matches.length} of {total} matches.
            </p>
          )}
          {cancelled.length > 0 && <h3 className="cancelled-matches">Cancelled, not counted</h3>}
          <MatchRows matches={cancelled} playerId={playerId} />
        </>
      ) : (
        <EmptyState
          text={PROFILE_TABS.find(({ id }) => id === tab)?.empty ?? ""}
          action={mayPlay && openGame === null && <ButtonLink href="/create-match">Create Match</ButtonLink>}
        />
      )}
    </Tabs>
  );
}

function OwnSettings({ player }: { readonly player: OwnPlayerView }) {
  return (
    <div className="profile-panels">
      <div className="profile-column">
        <Panel className="profile-play" label="Play">
          <h2>Play</h2>
          <NotificationSwitch />
          <SoundSwitch />
          <Switch
            label="Takebacks"
            on={player.takebacksEnabled}
            onChange={(takebacksEnabled) => void saveSwitch({ takebacksEnabled })}
          />
        </Panel>
        {player.notificationsEnabled && <PushSetting playerId={player.id} />}
        <BoardSettingsPanel />
      </div>
      <RestrictionsPanel />
    </div>
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
    </div>
  );
}

function BoardSettingsPanel() {
  return (
    <Panel className="profile-board" label="Board settings">
      <h2>Board settings</h2>
      <p className="meta">Kept on this device.</p>
      <BoardSettingsForm game={GAMES[0]!.id} />
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
