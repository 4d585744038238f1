import type { MatchView } from "@holo/protocol/game/games.ts";
import { JoinLabel } from "../../../shared/match/join-label.tsx";
import { toMatchTerms } from "../../../shared/match/match.ts";
import { Button, type ButtonProps } from "../../../ui/button/button.tsx";
import { useJoin } from "../use-join.ts";

interface FreeJoinButtonProps extends Pick<ButtonProps, "kind" | "size" | "wide" | "resting" | "className"> {
  readonly match: MatchView;
  readonly invitation?: string;
  readonly onRefused?: () => void;
}

/** Joins a free game at once: there are no costs to accept first. */
export function FreeJoinButton({ match, invitation, onRefused, ...look }: FreeJoinButtonProps) {
  const { isJoining, join } = useJoin(match, invitation, onRefused);
  return (
    <Button {...look} busy={isJoining && "Joining..."} onClick={join}>
      <JoinLabel {...toMatchTerms(match)} />
    </Button>
  );
}
