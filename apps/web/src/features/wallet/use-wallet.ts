import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import type { WalletView } from "@holo/protocol/payments/wallet.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { fetchApi } from "../../lib/api/api.ts";
import { queryClient, refreshQueries } from "../../lib/api/query.tsx";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { useSession } from "../../lib/session/session.ts";
import { onFrame } from "../../lib/socket/socket.ts";
import { useOnChange } from "../../lib/use-on-change.ts";
import { toWallet, upsertPayment } from "./wallet.ts";

/** The server pushes nothing when coins settle, so the wallet is loaded again this long after. */
const SETTLED_REFRESH_DELAY_MS = 500;
/** Browsers limit timers to a signed 32-bit delay. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export function useWallet(playerId: string) {
  const { balance, openGame, limits } = useSession();
  const { data, isError, refetch } = useQuery({
    queryKey: ["wallet", playerId],
    queryFn: ({ signal }) => fetchApi("wallet", {}, signal),
    staleTime: 0,
  });
  const wallet = useMemo(() => (data === undefined ? undefined : toWallet(data)), [data]);

  const applyPayment = useCallback(
    (received: PaymentView) => {
      queryClient.setQueryData<WalletView>(
        ["wallet", playerId],
        (view) => view && { ...view, payments: upsertPayment(view.payments, received) },
      );
      refreshWallet();
    },
    [playerId],
  );

  useEffect(
    () =>
      onFrame((frame) => {
        if (frame.type === "payment") applyPayment(frame.payment);
        else if (frame.type === "settings" || frame.type === "hello") refreshWallet();
      }),
    [applyPayment],
  );

  useOnChange(`${balance} ${openGame?.gameId} ${openGame?.status}`, refreshWallet);
  // A payment pushes the limits again, usually unchanged; each refresh restarts a load in progress.
  useOnChange(JSON.stringify(limits), refreshWallet);

  const nextSettledAt = wallet?.settlingLots[0]?.at;
  useEffect(() => {
    if (nextSettledAt === undefined) return;
    const waitMs = Math.max(nextSettledAt - serverClock.now(), 0) + SETTLED_REFRESH_DELAY_MS;
    const timer = setTimeout(refreshWallet, Math.min(waitMs, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  }, [nextSettledAt]);

  return { wallet, isError, refetch, applyPayment };
}

export function refreshWallet(): void {
  void refreshQueries(["wallet"]);
  void refreshQueries(["statement"]);
}
