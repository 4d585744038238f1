/**
 * How many withdrawals in 24 hours were allowed when this one was accepted (ruling 37), for the
 * auditor; null for one without a bound: of earlier releases, of staff, or closing an account.
 */
export const up = `
  alter table payments add column day_limit int check (day_limit is null or (day_limit > 0 and kind = 'withdrawal'));
`;
