/**
 * Whether a self-exclusion also blocks the address. False if the address was proven only after it:
 * a stranger may have started it.
 */
export const up = `alter table self_exclusions add column blocks_email boolean not null default true;`;
