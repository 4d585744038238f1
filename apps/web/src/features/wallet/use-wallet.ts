import type { PaymentView, WalletView } from "@holo/protocol/wallet-views.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { fetchApi } from "../../lib/api.ts";
import { queryClient } from "../../lib/query.tsx";
import { useSession } from "../../lib/session.ts";
import { onFrame, serverClock } from "../../lib/socket.ts";
import { putPayment } from "./payments-list.ts";
import { toWallet } from "./settling.ts";

/** Lots become free without a word from the server; a little later than they do, it is asked. */
const AFTER_FREE_MS = 500;
/** No timer of a browser reaches further than this. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The player's wallet, kept up to date by what is pushed. */
export function useWallet(playerId: string) {
  const { balance, openGame, limits } = useSession();
  const { data, isError, refetch } = useQuery({
    queryKey: ["wallet", playerId],
    queryFn: ({ signal }) => fetchApi("wallet", {}, signal),
  });
  const wallet = useMemo(() => (data === undefined ? undefined : toWallet(data)), [data]);

  const takePayment = useCallback(
    (heard: PaymentView) => {
      queryClient.setQueryData<WalletView>(
        ["wallet", playerId],
        (view) => view && { ...view, payments: putPayment(view.payments, heard) },
      );
      refreshWallet();
    },
    [playerId],
  );

  useEffect(
    () =>
      onFrame((frame) => {
        if (frame.type === "payment") takePayment(frame.payment);
        // another rate makes other naira of the same coins; and what was pushed while there was no connection is lost
        else if (frame.type === "settings" || frame.type === "hello") refreshWallet();
      }),
    [takePayment],
  );

  // every coin that moved, every game that began or ended, and every limit changes what stands here
  const moved = `${balance} ${openGame?.gameId} ${openGame?.status}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what moved is what it waits for
  useEffect(refreshWallet, [moved, limits]);

  const freeAt = wallet?.frees[0]?.at;
  useEffect(() => {
    if (freeAt === undefined) return;
    const waitMs = Math.max(freeAt - serverClock.now(), 0) + AFTER_FREE_MS;
    const timer = setTimeout(refreshWallet, Math.min(waitMs, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  }, [freeAt]);

  return { wallet, isError, refetch, takePayment };
}

export function refreshWallet(): void {
  void queryClient.invalidateQueries({ queryKey: ["wallet"] });
  void queryClient.invalidateQueries({ queryKey: ["statement"] });
}
