/**
 * What the figures of days and of payments under way are found by. Entries lie in the order in which they came, so that a summary of each
 * stretch of the table finds a day, and costs the entries of games next to nothing; payments under way are few at any time.
 */
export const up = `
  create index ledger_entries_by_time on ledger_entries using brin (at) with (pages_per_range = 16, autosummarize = on);
  create index payments_under_way on payments (kind) include (kobo) where status in ('pending', 'processing');
`;
