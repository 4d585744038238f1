import type { RoleView } from "@holo/protocol/accounts/session.ts";
import type { ReviewsView } from "@holo/protocol/admin/money.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { queryClient } from "../../../lib/api/query.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { useNow } from "../../../ui/text/use-now.ts";
import { adminKey, REFETCH_MS } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { type Ending, toDialogKey, updateRefused } from "./ending.ts";
import { OrphanedBalanceRow } from "./orphaned-balance-row.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { ReviewRow } from "./review-row.tsx";
import { SendOrphanedBalanceDialog } from "./send-orphaned-balance-dialog.tsx";
import "./reviews.css";

const CLOCK_MS = 30_000;

interface ReviewsProps {
  readonly playerId: string;
  readonly role: RoleView;
}

export function Reviews({ playerId, role }: ReviewsProps) {
  const queryKey = adminKey(playerId, "reviews");
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchApi("reviews", {}, signal),
    refetchInterval: REFETCH_MS,
  });
  const [ending, setEnding] = useState<Ending | null>(null);
  const now = useNow(CLOCK_MS);
  const count = query.data === undefined ? 0 : query.data.payments.length + query.data.orphanedBalances.length;
  /** New figures are shown only after a refusal, never between reading and pressing. */
  async function showLatest(refused: Ending): Promise<void> {
    const { data } = await query.refetch();
    setEnding((open) => updateRefused(open, refused, data));
  }

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
      <Loaded query={query} loading="Loading what is held..." failed="We couldn't load what is held for review.">
        {({ payments, orphanedBalances }) =>
          count === 0 ? (
            <p className="muted">Nothing is held for review.</p>
          ) : (
            <ul className="review-list">
              {orphanedBalances.map((wallet) => (
                <OrphanedBalanceRow
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
      </Loaded>
      {ending?.type === "review" && (
        <ReviewDialog key={toDialogKey(ending)} {...ending} {...dialog} onRefused={() => void showLatest(ending)} />
      )}
      {ending?.type === "left" && (
        <SendOrphanedBalanceDialog
          {...ending}
          {...dialog}
          isCeo={role === "ceo"}
          onRefused={() => void showLatest(ending)}
        />
      )}
    </Panel>
  );
}
