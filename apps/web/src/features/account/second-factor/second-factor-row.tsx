import type { OwnPlayerView } from "@holo/protocol/accounts/session.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { refreshQueries } from "../../../lib/api/query.tsx";
import { lazyChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Opening } from "../../../ui/overlay/opening.tsx";

const SwitchOnDialog = lazyChunk(() => import("./switch-on-dialog.tsx"));
const SwitchOffDialog = lazyChunk(() => import("./switch-off-dialog.tsx"));

export function SecondFactorRow({ player }: { readonly player: OwnPlayerView }) {
  const queryKey = ["second-factor", player.id];
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => fetchApi("secondFactor", {}, signal) });
  const [openDialog, setOpenDialog] = useState<"on" | "off" | null>(null);

  function close() {
    setOpenDialog(null);
    void refreshQueries(queryKey);
  }

  return (
    <div>
      <dt>Login codes</dt>
      <dd>
        {data?.isOn === true ? (
          <>
            A code from your app at login and before withdrawals
            <Badge kind="active">On</Badge>
            {data.recoveryCodesLeft < 3 && (
              <Badge kind="pending">{`${data.recoveryCodesLeft} recovery ${data.recoveryCodesLeft === 1 ? "code" : "codes"} left`}</Badge>
            )}
          </>
        ) : (
          <>
            {data?.isRequired === true ? "Staff need them to work" : "Protect your coins with a code from your phone"}
            {data?.isRequired === true && <Badge kind="pending">Needed</Badge>}
          </>
        )}
      </dd>
      <dd className="act">
        {data !== undefined && (
          <Button
            size="small"
            onClick={() => setOpenDialog(data.isOn ? "off" : "on")}
            aria-label={data.isOn ? "Switch off login codes" : "Switch on login codes"}
          >
            {data.isOn ? "Switch off" : "Switch on"}
          </Button>
        )}
      </dd>
      <Opening onDropped={close}>
        {openDialog === "on" && <SwitchOnDialog player={player} onClose={close} />}
        {openDialog === "off" && <SwitchOffDialog player={player} onClose={close} />}
      </Opening>
    </div>
  );
}
