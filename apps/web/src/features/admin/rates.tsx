import { toKobo } from "@holo/kernel/money.ts";
import type { AdminSettingsView, SettingChangeView, SettingsEffectView } from "@holo/protocol/admin-views.ts";
import type { SettingsView } from "@holo/protocol/views.ts";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { callApi, fetchApi } from "../../lib/api.ts";
import { queryClient } from "../../lib/query.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Collapsible } from "../../ui/collapsible.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { formatAmount } from "../../ui/money/naira-amount.ts";
import { formatNaira } from "../../ui/naira.ts";
import { formatPercent } from "../../ui/percent.ts";
import { Table } from "../../ui/table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Awaited } from "./awaited.tsx";
import { parseRates, type RatesFault } from "./rates-check.ts";
import { RatesDialog } from "./rates-dialog.tsx";
import { adminKey, refreshAdmin } from "./use-overview.ts";
import "./rates.css";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

/** What a holocoin costs and what the platform keeps of a game: the CEO's alone to change (ruling 4). */
export function Rates({ playerId }: { readonly playerId: string }) {
  const queryKey = adminKey(playerId, "settings");
  const query = useQuery({ queryKey, queryFn: ({ signal }) => fetchApi("adminSettings", {}, signal) });

  function keep(settings: AdminSettingsView) {
    queryClient.setQueryData(queryKey, settings);
    refreshAdmin();
  }

  return (
    <Collapsible title="Settings" note={<Badge kind="active">CEO</Badge>}>
      <Awaited query={query} loading="Loading settings..." failed="The settings could not be loaded.">
        {(settings) => (
          <>
            <RatesForm key={`${settings.rateKobo} ${settings.feeBps}`} settings={settings} onChanged={keep} />
            <History changes={settings.changes} />
          </>
        )}
      </Awaited>
    </Collapsible>
  );
}

/** Other settings, with what they would do. */
interface Wish {
  readonly wished: SettingsView;
  readonly effect: SettingsEffectView;
}

interface RatesFormProps {
  readonly settings: AdminSettingsView;
  readonly onChanged: (settings: AdminSettingsView) => void;
}

function RatesForm({ settings, onChanged }: RatesFormProps) {
  const [rate, setRate] = useState(formatAmount(toKobo(BigInt(settings.rateKobo))));
  const [fee, setFee] = useState(`${settings.feeBps / 100}`);
  const [fault, setFault] = useState<RatesFault | null>(null);
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [wish, setWish] = useState<Wish | null>(null);

  function write(set: (text: string) => void, text: string) {
    set(text);
    setFault(null);
    setFailure(null);
  }

  async function ask(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    const wished = parseRates({ rate, fee }, settings);
    if (!wished.ok) return setFault(wished.refusal);
    setAsking(true);
    const effect = await callApi("settingsEffect", { body: wished.value });
    setAsking(false);
    if (effect.ok) setWish({ wished: wished.value, effect: effect.value });
    else setFailure(effect.refusal);
  }

  return (
    <>
      <form className="rates-form" noValidate onSubmit={(event) => void ask(event)}>
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
        {failure !== null && <Failure words={failure} />}
      </form>
      {wish !== null && (
        <RatesDialog
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
    <div className="rates-history">
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
            <td>{username ?? "The product"}</td>
            <td className="figures">{formatNaira(toKobo(BigInt(rateKobo)))}</td>
            <td className="figures">{formatPercent(feeBps)}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
