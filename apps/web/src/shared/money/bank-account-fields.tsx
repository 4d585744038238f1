import type { SavedAccountView } from "@holo/protocol/payments/payments.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { callApi, fetchApi } from "../../lib/api/api.ts";
import { toSpecified } from "../../lib/api/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import type { FailureText } from "../../ui/feedback/failure-note.tsx";
import { Field } from "../../ui/form/field.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import "./bank-account-fields.css";

interface AccountDraft {
  readonly bankCode: string;
  /** As typed, until it is verified. */
  readonly accountNumber: string;
}

interface VerifiedAccount {
  readonly accountName: string;
  /** Whether money went there before: no password needed then (ruling 12). */
  readonly isKnown: boolean;
}

const EMPTY_DRAFT: AccountDraft = { bankCode: "", accountNumber: "" };

function toKnown({ accountName }: SavedAccountView): VerifiedAccount {
  return { accountName, isKnown: true };
}

type TypedAccount =
  | { readonly type: "number"; readonly digits: string }
  /** A phone number is also an account at some banks, without its leading 0 or +234. */
  | { readonly type: "phone"; readonly digits: string }
  | { readonly type: "fault"; readonly text: string };

/** Nothing is cut: another number is someone else's account (ruling 50). */
export function parseAccountNumber(text: string): TypedAccount {
  const compact = text.replace(/[\s\p{Pd}.()]/gu, "");
  const phone = /^(?:0|(?:\+|00)?2340?)(?<digits>\d{10})$/.exec(compact)?.groups?.digits;
  if (phone !== undefined) return { type: "phone", digits: phone };
  if (/^\d{10}$/.test(compact)) return { type: "number", digits: compact };
  return /^\d*$/.test(compact)
    ? { type: "fault", text: `An account number has 10 digits. This has ${compact.length}.` }
    : { type: "fault", text: "An account number has 10 digits and nothing else." };
}

/** `Guaranty Trust Bank ••6789, AMAKA CHIOMA OBI`. */
export function formatSavedAccount({ bankName, accountNumber, accountName }: SavedAccountView): string {
  return `${bankName} ••${accountNumber.slice(-4)}, ${accountName}`;
}

const BANKS_STALE_MS = 60 * 60_000;
const OTHER = "other";

/** The saved account's place in the list, which is loaded again while the fields are open. */
export function findChoice(accounts: readonly AccountDraft[], draft: AccountDraft): string {
  const isDraft = ({ bankCode, accountNumber }: AccountDraft) =>
    bankCode === draft.bankCode && accountNumber === draft.accountNumber;
  const index = accounts.findIndex(isDraft);
  return index === -1 ? OTHER : `${index}`;
}

interface BankAccountFieldsProps {
  readonly accounts: readonly SavedAccountView[];
  /** Whether the draft was chosen from `accounts`. */
  readonly isSaved: boolean;
  readonly draft: AccountDraft;
  readonly verified: VerifiedAccount | null;
  readonly disabled: boolean;
  readonly onChange: (draft: AccountDraft, verified: VerifiedAccount | null) => void;
  readonly onChooseSaved: (saved: SavedAccountView | undefined) => void;
  readonly onRefused: (failure: FailureText) => void;
}

export function BankAccountFields(props: BankAccountFieldsProps) {
  const { accounts, isSaved, draft, verified, disabled, onChooseSaved } = props;
  const choice = isSaved ? findChoice(accounts, draft) : OTHER;
  const banks = useBanks();

  return (
    <>
      {accounts.length > 0 && (
        <SelectField
          label="Pay to"
          value={choice}
          disabled={disabled}
          options={[
            ...accounts.map((account, index) => ({ value: `${index}`, text: formatSavedAccount(account) })),
            { value: OTHER, text: "Another account" },
          ]}
          onChange={(value) => onChooseSaved(accounts[Number(value)])}
        />
      )}
      {choice === OTHER && <OtherAccountFields {...props} banks={banks} />}
      <div role="status">
        {verified !== null && (
          <div className="verified-account">
            <Icon name="check" size={24} />
            <div>
              <b>{verified.accountName}</b>
              <span>{choice === OTHER ? "Account verified successfully" : "You've used this account before"}</span>
            </div>
          </div>
        )}
      </div>
    </>
  );
}

function useBanks() {
  return useQuery({
    queryKey: ["banks"],
    queryFn: ({ signal }) => fetchApi("banks", {}, signal),
    // An empty list is a provider failure, which may be temporary.
    staleTime: ({ state }) => (state.data?.banks.length ? BANKS_STALE_MS : 0),
  });
}

interface OtherAccountFieldsProps extends BankAccountFieldsProps {
  readonly banks: ReturnType<typeof useBanks>;
}

function OtherAccountFields({ draft, verified, disabled, onChange, onRefused, banks }: OtherAccountFieldsProps) {
  const [isAsking, setAsking] = useState(false);
  const [isTried, setTried] = useState(false);
  const asked = useRef(draft);
  const field = useRef<HTMLInputElement>(null);
  const typed = parseAccountNumber(draft.accountNumber);

  function write(change: Partial<AccountDraft>) {
    setTried(false);
    asked.current = { ...draft, ...change };
    onChange(asked.current, null);
  }

  function takeTenDigits(accountNumber: string) {
    write({ accountNumber });
    field.current?.focus();
  }

  async function verify() {
    const { bankCode } = draft;
    if (bankCode === "" || draft.accountNumber.trim() === "") return onRefused(toRefusalView("missing_account_fields"));
    setTried(true);
    if (typed.type !== "number") return field.current?.focus();
    const accountNumber = typed.digits;
    asked.current = draft;
    setAsking(true);
    const answer = await callApi("verifyAccount", { body: { bankCode, accountNumber } });
    setAsking(false);
    // The draft changed while the bank was asked.
    if (asked.current !== draft) return;
    if (answer.ok) onChange({ bankCode, accountNumber }, answer.value);
    else onRefused(toSpecified(answer.refusal, toRefusalView("account_check_failed")));
  }

  return (
    <>
      <SelectField
        label="Bank"
        value={draft.bankCode}
        disabled={disabled}
        options={[
          { value: "", text: banks.isPending ? "Loading banks..." : "Select a bank" },
          ...(banks.data?.banks ?? []).map(({ code, name }) => ({ value: code, text: name })),
        ]}
        onChange={(bankCode) => write({ bankCode })}
      />
      {!banks.isPending && !banks.data?.banks.length && (
        <p className="muted small">
          We couldn't load the list of banks.{" "}
          <button type="button" className="link alone" onClick={() => void banks.refetch()}>
            Try again
          </button>
        </p>
      )}
      <Field label="Account number" hint="10 digits" error={toFault(typed, draft.accountNumber, isTried)}>
        {(control) => (
          <span className="account-number">
            <input
              {...control}
              ref={field}
              className="input"
              inputMode="numeric"
              autoComplete="off"
              disabled={disabled}
              value={draft.accountNumber}
              onChange={(event) => write({ accountNumber: event.target.value })}
              onBlur={() => setTried(true)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || verified !== null) return;
                event.preventDefault();
                void verify();
              }}
            />
            <Button
              busy={isAsking && "Verifying..."}
              resting={disabled || verified !== null}
              onClick={() => void verify()}
            >
              Verify Account
            </Button>
          </span>
        )}
      </Field>
      {typed.type === "phone" && verified === null && (
        <Button size="small" className="ten-digits" disabled={disabled} onClick={() => takeTenDigits(typed.digits)}>
          Use {typed.digits}
        </Button>
      )}
    </>
  );
}

/** A number that may still be typed on is refused once its field is left. */
function toFault(typed: TypedAccount, text: string, isTried: boolean): string | undefined {
  if (typed.type === "phone") return "An account number has 10 digits. Is this a phone number?";
  if (typed.type === "number" || text.trim() === "") return undefined;
  return isTried || text.replace(/\D/g, "").length > 10 ? typed.text : undefined;
}

interface ChosenAccount {
  readonly draft: AccountDraft;
  readonly verified: VerifiedAccount | null;
  readonly isSaved: boolean;
}

const NEW_ACCOUNT: ChosenAccount = { draft: EMPTY_DRAFT, verified: null, isSaved: false };

function toChosen(saved: SavedAccountView | undefined): ChosenAccount {
  return saved === undefined ? NEW_ACCOUNT : { draft: saved, verified: toKnown(saved), isSaved: true };
}

/** The account that money is sent to: the first saved one until the player chooses another. */
export function useBankAccount(accounts: readonly SavedAccountView[], onChanged: () => void) {
  const [chosen, setChosen] = useState<ChosenAccount | null>(null);
  // Kept from then on: a list that is loaded again must not replace an account that was shown.
  if (chosen === null && accounts[0] !== undefined) setChosen(toChosen(accounts[0]));
  const { draft, verified, isSaved } = chosen ?? NEW_ACCOUNT;

  function choose(next: ChosenAccount) {
    setChosen(next);
    onChanged();
  }

  return {
    account: { accountNumber: draft.accountNumber, bankCode: draft.bankCode },
    verified,
    fields: {
      accounts,
      draft,
      verified,
      isSaved,
      onChange: (draft: AccountDraft, verified: VerifiedAccount | null) => choose({ draft, verified, isSaved: false }),
      onChooseSaved: (saved: SavedAccountView | undefined) => choose(toChosen(saved)),
    },
  };
}
