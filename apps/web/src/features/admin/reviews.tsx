import type { LeftWalletView, ReviewEnd, ReviewsView, ReviewView } from "@holo/protocol/admin-views.ts";
import type { RoleView } from "@holo/protocol/views.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../lib/api.ts";
import { queryClient } from "../../lib/query.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Awaited } from "./awaited.tsx";
import { LeftWalletRow } from "./left-wallet-row.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { ReviewRow } from "./review-row.tsx";
import { SendLeftDialog } from "./send-left-dialog.tsx";
import { adminKey, LIVE_MS } from "./use-overview.ts";
import "./reviews.css";

const CLOCK_MS = 30_000;

/** A review about to be ended in one of its ways, or a wallet about to be emptied. */
type Ending =
  | { readonly type: "review"; readonly review: ReviewView; readonly end: ReviewEnd }
  | { readonly type: "left"; readonly wallet: LeftWalletView };

interface ReviewsProps {
  readonly playerId: string;
  readonly role: RoleView;
}

/** Payments that went otherwise than they were to, and coins of players who are gone, for people to look at. */
export function Reviews({ playerId, role }: ReviewsProps) {
  const queryKey = adminKey(playerId, "reviews");
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchApi("reviews", {}, signal),
    refetchInterval: LIVE_MS,
  });
  const [ending, setEnding] = useState<Ending | null>(null);
  const now = useNow(CLOCK_MS);
  const count = query.data === undefined ? 0 : query.data.payments.length + query.data.leftWallets.length;
  const dialog = {
    onClose: () => setEnding(null),
    onEnded: (reviews: ReviewsView) => queryClient.setQueryData(queryKey, reviews),
  };

  return (
    <Panel className="reviews" label="Held for review">
      <div className="panel-head">
        <h2>Held for review</h2>
        {count > 0 && <Badge kind="pending">{count} to look at</Badge>}
      </div>
      <Awaited query={query} loading="Loading what is held..." failed="What is held for review could not be loaded.">
        {({ payments, leftWallets }) =>
          count === 0 ? (
            <p className="muted">Nothing is held for review.</p>
          ) : (
            <ul className="review-list">
              {leftWallets.map((wallet) => (
                <LeftWalletRow
                  key={wallet.playerId}
                  wallet={wallet}
                  canSend={wallet.bankName !== null || role === "ceo"}
                  onSend={() => setEnding({ type: "left", wallet })}
                />
              ))}
              {payments.map((review) => (
                <ReviewRow
                  key={review.payment.id}
                  review={review}
                  now={now}
                  onEnd={(end) => setEnding({ type: "review", review, end })}
                />
              ))}
            </ul>
          )
        }
      </Awaited>
      {ending?.type === "review" && <ReviewDialog {...ending} {...dialog} />}
      {ending?.type === "left" && <SendLeftDialog {...ending} {...dialog} isCeo={role === "ceo"} />}
    </Panel>
  );
}
