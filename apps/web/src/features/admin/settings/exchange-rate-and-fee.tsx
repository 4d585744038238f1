import { toKobo } from "@holo/kernel/money.ts";
import type { AdminSettingsView, SettingChangeView, SettingsEffectView } from "@holo/protocol/admin/settings.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { callApi, fetchApi } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { queryClient } from "../../../lib/api/query.tsx";
import { formatNaira, formatPercent } from "../../../shared/money/naira.ts";
import { formatAmount } from "../../../shared/money/naira-amount.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Table } from "../../../ui/data/table.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useInvalidFocus } from "../../../ui/form/use-invalid-focus.ts";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { adminKey, refreshAdmin } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { parseSettings, type SettingsDraftFault } from "./exchange-rate-and-fee-check.ts";
import { ExchangeRateAndFeeDialog } from "./exchange-rate-and-fee-dialog.tsx";
import "./exchange-rate-and-fee.css";
import { useAttempts } from "../../../ui/form/attempts.ts";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

/** Exchange rate and platform fee. Only the CEO changes them (ruling 4). */
export function ExchangeRateAndFee({ playerId }: { readonly playerId: string }) {
  const queryKey = adminKey(playerId, "settings");
  const query = useQuery({ queryKey, queryFn: ({ signal }) => fetchApi("adminSettings", {}, signal) });

  function keep(settings: AdminSettingsView) {
    queryClient.setQueryData(queryKey, settings);
    refreshAdmin();
  }

  return (
    <Collapsible title="Settings" note={<Badge kind="active">CEO</Badge>}>
      <Loaded query={query} loading="Loading settings..." failed="We couldn't load the settings.">
        {(settings) => (
          <>
            <SettingsForm key={`${settings.rateKobo} ${settings.feeBps}`} settings={settings} onChanged={keep} />
            <History changes={settings.changes} />
          </>
        )}
      </Loaded>
    </Collapsible>
  );
}

interface Proposal {
  readonly proposed: SettingsView;
  readonly effect: SettingsEffectView;
}

interface SettingsFormProps {
  readonly settings: AdminSettingsView;
  readonly onChanged: (settings: AdminSettingsView) => void;
}

function SettingsForm({ settings, onChanged }: SettingsFormProps) {
  const [rate, setRate] = useState(formatAmount(toKobo(BigInt(settings.rateKobo))));
  const [fee, setFee] = useState(`${settings.feeBps / 100}`);
  const [fault, setFault] = useState<SettingsDraftFault | null>(null);
  const { failure, setFailure, attempt } = useAttempts();
  const [isAsking, setAsking] = useState(false);
  const [wish, setWish] = useState<Proposal | null>(null);
  const invalidFocus = useInvalidFocus();

  function write(set: (text: string) => void, text: string) {
    set(text);
    setFault(null);
    setFailure(null);
  }

  async function ask(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    const wished = parseSettings({ rate, fee }, settings);
    if (!wished.ok) return setFault(wished.refusal);
    setAsking(true);
    const effect = await attempt(() => callApi("settingsEffect", { body: wished.value }));
    setAsking(false);
    if (effect === null) return;
    if (effect.ok) setWish({ proposed: wished.value, effect: effect.value });
    else setFailure(toFailure(effect.refusal));
  }

  return (
    <>
      <form {...invalidFocus} className="settings-form" noValidate onSubmit={(event) => void ask(event)}>
        <TextField
          label="Naira for one holocoin"
          inputMode="decimal"
          autoComplete="off"
          hint={`Now ${formatNaira(toKobo(BigInt(settings.rateKobo)))}`}
          error={fault?.field === "rate" ? fault.text : undefined}
          value={rate}
          onChange={(event) => write(setRate, event.target.value)}
        />
        <TextField
          label="Platform fee in percent"
          inputMode="decimal"
          autoComplete="off"
          hint={`Now ${formatPercent(settings.feeBps)}`}
          error={fault?.field === "fee" ? fault.text : undefined}
          value={fee}
          onChange={(event) => write(setFee, event.target.value)}
        />
        <Button type="submit" busy={isAsking && "Counting..."}>
          Show the effect
        </Button>
        {failure !== null && <FailureNote failure={failure} />}
      </form>
      {wish !== null && (
        <ExchangeRateAndFeeDialog
          {...wish}
          settings={settings}
          onClose={() => setWish(null)}
          onChanged={(changed) => {
            setWish(null);
            onChanged(changed);
          }}
        />
      )}
    </>
  );
}

function History({ changes }: { readonly changes: readonly SettingChangeView[] }) {
  return (
    <div className="settings-history">
      <h3>Changes so far</h3>
      <Table
        caption="Changes of rate and fee, newest first"
        columns={[
          { text: "When" },
          { text: "Who" },
          { text: "One holocoin", figures: true },
          { text: "Fee", figures: true },
        ]}
      >
        {changes.map(({ at, username, rateKobo, feeBps }) => (
          <tr key={at}>
            <td>{at === 0 ? "From the beginning" : new Date(at).toLocaleString("en-GB", TIME)}</td>
            <td>{username ?? "Default"}</td>
            <td className="figures">{formatNaira(toKobo(BigInt(rateKobo)))}</td>
            <td className="figures">{formatPercent(feeBps)}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
