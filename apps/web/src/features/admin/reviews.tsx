import { toKobo } from "@holo/kernel/money.ts";
import type { ReviewEnd, ReviewView } from "@holo/protocol/admin-views.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../lib/api.ts";
import { queryClient } from "../../lib/query.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { KIND_WORDS } from "../../ui/money/payment-kind.ts";
import { formatNaira } from "../../ui/naira.ts";
import { Panel } from "../../ui/panel.tsx";
import { formatRelativeTime } from "../../ui/relative-time.ts";
import { useNow } from "../../ui/use-now.ts";
import { Awaited } from "./awaited.tsx";
import { HeldBackNote } from "./held-back.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { adminKey, LIVE_MS } from "./use-overview.ts";
import "./reviews.css";

const CLOCK_MS = 30_000;

/** A review about to be ended in one of its two ways. */
interface Ending {
  readonly review: ReviewView;
  readonly end: ReviewEnd;
}

/** Payments that went otherwise than they were to, for people to look at. */
export function Reviews({ playerId }: { readonly playerId: string }) {
  const queryKey = adminKey(playerId, "reviews");
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchApi("reviews", {}, signal),
    refetchInterval: LIVE_MS,
  });
  const [ending, setEnding] = useState<Ending | null>(null);
  const now = useNow(CLOCK_MS);

  return (
    <Panel className="reviews" label="Held for review">
      <div className="panel-head">
        <h2>Held for review</h2>
        {query.data !== undefined && query.data.payments.length > 0 && (
          <Badge kind="pending">{query.data.payments.length} to look at</Badge>
        )}
      </div>
      <Awaited query={query} loading="Loading what is held..." failed="What is held for review could not be loaded.">
        {({ payments }) =>
          payments.length === 0 ? (
            <p className="muted">Nothing is held for review.</p>
          ) : (
            <ul className="review-list">
              {payments.map((review) => (
                <ReviewRow
                  key={review.payment.id}
                  review={review}
                  now={now}
                  onEnd={(end) => setEnding({ review, end })}
                />
              ))}
            </ul>
          )
        }
      </Awaited>
      {ending !== null && (
        <ReviewDialog
          {...ending}
          onClose={() => setEnding(null)}
          onEnded={(reviews) => queryClient.setQueryData(queryKey, reviews)}
        />
      )}
    </Panel>
  );
}

interface ReviewRowProps {
  readonly review: ReviewView;
  readonly now: number;
  readonly onEnd: (end: ReviewEnd) => void;
}

function ReviewRow({ review, now, onEnd }: ReviewRowProps) {
  const { payment, username, arrivedKobo } = review;
  return (
    <li>
      <div className="what">
        <p>
          <b>
            {KIND_WORDS[payment.kind]} of <span className="unbroken">{username}</span>
          </b>{" "}
          <time className="meta" dateTime={new Date(payment.createdAt).toISOString()}>
            {formatRelativeTime(payment.createdAt, now)}
          </time>
        </p>
        {payment.reason !== null && <p className="small muted">{payment.reason}</p>}
        <p className="meta reference">{payment.reference}</p>
      </div>
      <dl className="review-figures">
        <div>
          <dt>{payment.kind === "deposit" ? "Asked for" : "To be paid"}</dt>
          <dd>{formatNaira(toKobo(BigInt(payment.kobo)))}</dd>
        </div>
        {payment.kind === "deposit" && (
          <div>
            <dt>Arrived</dt>
            <dd>{arrivedKobo === null ? "Not known" : formatNaira(toKobo(BigInt(arrivedKobo)))}</dd>
          </div>
        )}
      </dl>
      <ReviewActs review={review} onEnd={onEnd} />
    </li>
  );
}

function ReviewActs({ review, onEnd }: Pick<ReviewRowProps, "review" | "onEnd">) {
  const { heldBack, isEndable, arrivedKobo } = review;
  if (heldBack !== null) {
    return (
      <div className="acts">
        <HeldBackNote why={heldBack} />
      </div>
    );
  }
  if (!isEndable) return <p className="acts small muted">It is decided at the provider, and ends here by itself.</p>;
  return (
    <div className="acts">
      {arrivedKobo !== null && (
        <Button size="small" onClick={() => onEnd("credit")}>
          Credit what arrived
        </Button>
      )}
      <Button size="small" onClick={() => onEnd("refund")}>
        Refund
      </Button>
    </div>
  );
}
