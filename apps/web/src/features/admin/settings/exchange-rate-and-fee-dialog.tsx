import { formatCoins, toKobo } from "@holo/kernel/money.ts";
import type { AdminSettingsView, SettingsEffectView } from "@holo/protocol/admin/settings.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { idempotencyKeys } from "../../../lib/api/idempotency-keys.ts";
import { formatNaira, formatPercent } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { PASSWORD_MISSING } from "../../../ui/form/password-missing.ts";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";

interface ExchangeRateAndFeeDialogProps {
  readonly settings: AdminSettingsView;
  readonly proposed: SettingsView;
  readonly effect: SettingsEffectView;
  readonly onClose: () => void;
  readonly onChanged: (settings: AdminSettingsView) => void;
}

/** Shows the effect of a change on the naira that players are owed (ruling 4). */
export function ExchangeRateAndFeeDialog({
  settings,
  proposed,
  effect,
  onClose,
  onChanged,
}: ExchangeRateAndFeeDialogProps) {
  const [password, setPassword] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);

  async function change() {
    setFailure(null);
    if (password === "") return setFailure(PASSWORD_MISSING);
    setSending(true);
    const { rateKobo, feeBps } = proposed;
    const expected = { rateKobo: settings.rateKobo, feeBps: settings.feeBps };
    // Wanted again after other settings, the same figures are a new change.
    const content = `changeSettings ${rateKobo} ${feeBps} after ${settings.changes[0]?.at}`;
    const commandId = idempotencyKeys.keyFor(content);
    const answer = await attempt(async () => {
      const given = await callApi("changeSettings", { body: { commandId, rateKobo, feeBps, expected, password } });
      idempotencyKeys.complete(content, given.ok ? undefined : given.refusal);
      return given;
    });
    setSending(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure(toFailure(answer.refusal));
    notify({ kind: "done", title: "Settings changed", text: "Everyone sees the new figures." });
    onChanged(answer.value);
  }

  return (
    <FormDialog
      title="Change Settings?"
      submitText="Change"
      busyText={isSending && "Changing..."}
      failure={failure}
      onSubmit={change}
      onClose={onClose}
    >
      <Effect settings={settings} proposed={proposed} effect={effect} />
      <p className="small muted">
        Payments under way keep the rate at which they were started, and games the fee at which they were created.
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

function Effect({
  settings,
  proposed,
  effect,
}: Pick<ExchangeRateAndFeeDialogProps, "settings" | "proposed" | "effect">) {
  const { owedKoboNow, owedKoboThen, providerKobo } = effect;
  const missing = providerKobo === null ? 0 : owedKoboThen - providerKobo;
  return (
    <>
      <Receipt>
        {proposed.rateKobo !== settings.rateKobo && (
          <ReceiptRow term="One holocoin">
            {formatKobo(settings.rateKobo)} → {formatKobo(proposed.rateKobo)}
          </ReceiptRow>
        )}
        {proposed.feeBps !== settings.feeBps && (
          <ReceiptRow term="Platform fee">
            {formatPercent(settings.feeBps)} → {formatPercent(proposed.feeBps)}
          </ReceiptRow>
        )}
        <ReceiptRow term="Players are owed">{formatCoins(readCoins(effect.owedCoins))} HC</ReceiptRow>
        <ReceiptRow term="In naira now">{formatKobo(owedKoboNow)}</ReceiptRow>
        <ReceiptTotal term="After the change" note={formatChange(owedKoboThen - owedKoboNow)}>
          {formatKobo(owedKoboThen)}
        </ReceiptTotal>
        <ReceiptRow term="The provider holds">
          {providerKobo === null ? "Not known" : formatKobo(providerKobo)}
        </ReceiptRow>
      </Receipt>
      {missing > 0 && (
        <FailureNote
          failure={{
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
  if (kobo === 0) return "What players are owed doesn't change";
  return `${formatKobo(Math.abs(kobo))} ${kobo > 0 ? "more" : "less"}`;
}
