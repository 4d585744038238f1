import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchApi } from "../../lib/api.ts";
import { Queries, queryClient } from "../../lib/query.tsx";
import { useSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { EmailNotice } from "../../ui/email-notice.tsx";
import { Empty } from "../../ui/empty.tsx";
import { MatchRows } from "../../ui/match-rows.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { CloseAccount } from "./close-account.tsx";
import { Limits } from "./limits.tsx";
import { OwnAccount } from "./own-account.tsx";
import { ProfileBoard } from "./profile-board.tsx";
import { ProfileHead } from "./profile-head.tsx";
import { ProfileHistory } from "./profile-history.tsx";
import { ProfileStats } from "./profile-stats.tsx";
import { countTab, PROFILE_TABS, type ProfileTab, selectTab } from "./profile-tabs.ts";
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
  const [tab, setTab] = useState<ProfileTab>("all");
  const { data, isError, refetch } = useQuery({
    queryKey: ["profile", player?.id],
    queryFn: ({ signal }) => fetchApi("profile", {}, signal),
  });

  // a game that appeared, began or ended changes what stands here
  const gameState = `${openGame?.gameId} ${openGame?.status}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state of the open game is what it waits for
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: ["profile"] });
  }, [gameState]);

  if (player === null) return null;
  if (data === undefined) {
    return isError ? (
      <Unloaded
        text="Your profile could not be loaded. Please try again in a moment."
        onTryAgain={() => void refetch()}
      />
    ) : (
      <ProfileLoading />
    );
  }

  const matches = selectTab(data.matches, tab);
  return (
    <>
      <ProfileHead player={player} games={data.games} />
      {!player.emailVerified && <EmailNotice email={player.email} />}
      <ProfileStats balance={balance} games={data.games} />
      <Tabs
        label="Your matches"
        tabs={PROFILE_TABS.map(({ id, text }) => ({ id, text, count: countTab(data, id) }))}
        value={tab}
        onChange={setTab}
      >
        {matches.length > 0 ? (
          <MatchRows matches={matches} playerId={player.id} />
        ) : (
          <Empty
            text={PROFILE_TABS.find(({ id }) => id === tab)?.empty ?? ""}
            action={openGame === null && <ButtonLink href="/create-match">Create Match</ButtonLink>}
          />
        )}
      </Tabs>
      <ProfileHistory playerId={player.id} />
      <div className="profile-settings">
        <ProfileBoard />
        <Limits />
        <OwnAccount player={player} />
        <CloseAccount playerId={player.id} />
      </div>
    </>
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
