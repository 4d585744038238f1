/**
 * Two servers may measure the same instants: each row is one server's outage. Servers of the release
 * before insert without a conflict target, so they need no particular key.
 */
export const up = `
  alter table outages drop constraint outages_pkey;
  create unique index outages_of_servers on outages (to_at, from_at, cause, boot_id) nulls not distinct;
`;
