import type { MatchStatus } from "@holo/protocol/game/games.ts";
import { Badge, type BadgeKind } from "../../ui/feedback/badge.tsx";

const LOOKS: Readonly<Record<MatchStatus, { readonly kind: BadgeKind; readonly word: string }>> = {
  pending: { kind: "pending", word: "Pending" },
  active: { kind: "active", word: "Active" },
  completed: { kind: "done", word: "Completed" },
  cancelled: { kind: "lost", word: "Cancelled" },
};

export function MatchBadge({ status }: { readonly status: MatchStatus }) {
  const { kind, word } = LOOKS[status];
  return <Badge kind={kind}>{word}</Badge>;
}

/** In the words of the lobby's sections. */
export function LobbyBadge({ status }: { readonly status: MatchStatus }) {
  if (status === "pending") return <Badge kind="active">Open</Badge>;
  if (status === "active") return <Badge kind="live">Live</Badge>;
  return <MatchBadge status={status} />;
}
