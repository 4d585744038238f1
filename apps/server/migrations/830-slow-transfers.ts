/**
 * An outgoing payment without an outcome for a day is shown to staff, with one alert.
 * `processing_since`: since its last wait; null: it never waited. Both in ms since 1970.
 */
export const up = `
  alter table payments add column processing_since bigint, add column slow_since bigint;
`;
