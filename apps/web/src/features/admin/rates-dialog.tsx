import { formatCoins, toKobo } from "@holo/kernel/money.ts";
import type { AdminSettingsView, SettingsEffectView } from "@holo/protocol/admin-views.ts";
import type { SettingsView } from "@holo/protocol/views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { useActId } from "../../lib/use-act-id.ts";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { formatNaira } from "../../ui/naira.ts";
import { notify } from "../../ui/notify.ts";
import { PASSWORD_MISSING, PasswordField } from "../../ui/password-field.tsx";
import { formatPercent } from "../../ui/percent.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/receipt.tsx";

interface RatesDialogProps {
  /** What holds now. */
  readonly settings: AdminSettingsView;
  readonly wished: SettingsView;
  readonly effect: SettingsEffectView;
  readonly onClose: () => void;
  readonly onChanged: (settings: AdminSettingsView) => void;
}

/** What players are owed is a promise of naira as well: what a change does to it is shown before it is made (ruling 4). */
export function RatesDialog({ settings, wished, effect, onClose, onChanged }: RatesDialogProps) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);
  const act = useActId();

  async function change() {
    setFailure(null);
    if (password === "") return setFailure(PASSWORD_MISSING);
    setSending(true);
    const { rateKobo, feeBps } = wished;
    const expected = { rateKobo: settings.rateKobo, feeBps: settings.feeBps };
    const commandId = act.take(`${rateKobo} ${feeBps}`);
    const answer = await callApi("changeSettings", { body: { commandId, rateKobo, feeBps, expected, password } });
    act.settle(answer.ok ? undefined : answer.refusal);
    setSending(false);
    if (!answer.ok) return setFailure(answer.refusal);
    notify({ kind: "done", title: "Settings changed", text: "Everybody is shown the new figures." });
    onChanged(answer.value);
  }

  return (
    <FormDialog
      title="Change Settings?"
      act="Change"
      busy={isSending && "Changing..."}
      failure={failure}
      onSubmit={change}
      onClose={onClose}
    >
      <Effect settings={settings} wished={wished} effect={effect} />
      <p className="small muted">
        Payments under way keep the rate at which they were begun, and games the fee at which they were created.
      </p>
      <PasswordField
        value={password}
        onChange={(password) => {
          setPassword(password);
          setFailure(null);
        }}
      />
    </FormDialog>
  );
}

function Effect({ settings, wished, effect }: Pick<RatesDialogProps, "settings" | "wished" | "effect">) {
  const { owedKoboNow, owedKoboThen, providerKobo } = effect;
  const missing = providerKobo === null ? 0 : owedKoboThen - providerKobo;
  return (
    <>
      <Receipt>
        {wished.rateKobo !== settings.rateKobo && (
          <ReceiptRow term="One holocoin">
            {formatKobo(settings.rateKobo)} → {formatKobo(wished.rateKobo)}
          </ReceiptRow>
        )}
        {wished.feeBps !== settings.feeBps && (
          <ReceiptRow term="Platform fee">
            {formatPercent(settings.feeBps)} → {formatPercent(wished.feeBps)}
          </ReceiptRow>
        )}
        <ReceiptRow term="Players are owed">{formatCoins(readCoins(effect.owedCoins), "up")} HC</ReceiptRow>
        <ReceiptRow term="That is now">{formatKobo(owedKoboNow)}</ReceiptRow>
        <ReceiptTotal term="And then" note={formatChange(owedKoboThen - owedKoboNow)}>
          {formatKobo(owedKoboThen)}
        </ReceiptTotal>
        <ReceiptRow term="The provider holds">
          {providerKobo === null ? "Not known" : formatKobo(providerKobo)}
        </ReceiptRow>
      </Receipt>
      {missing > 0 && (
        <Failure
          words={{
            title: "Not covered",
            text: `then the provider would hold ${formatKobo(missing)} less than players are owed.`,
          }}
        />
      )}
    </>
  );
}

function formatKobo(kobo: number): string {
  return formatNaira(toKobo(BigInt(kobo)));
}

function formatChange(kobo: number): string {
  if (kobo === 0) return "Nothing changes in what players are owed";
  return `${formatKobo(Math.abs(kobo))} ${kobo > 0 ? "more" : "less"}`;
}
