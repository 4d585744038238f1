/**
 * What a player owes after a deposit was taken back is repaid by an entry of its own, beside the one that brought coins: that one says
 * what it always says, and the player reads both on the statement.
 */
export const up = `
  alter table ledger_entries drop constraint ledger_entries_kind_check;
  alter table ledger_entries add constraint ledger_entries_kind_check check (kind in ('deposit', 'deposit_reversal',
    'debt_repayment', 'stake', 'refund', 'win', 'draw', 'withdrawal_hold', 'withdrawal_return', 'withdrawal_paid',
    'revenue_withdrawal', 'revenue_return', 'provider_fee', 'correction', 'opening'));
`;
