/**
 * Whether the end of a dispute left nothing to wait for: it was declined, or the charge is reversed.
 * Null: no end of a dispute, or stored by an older server, whose text says it until it is erased.
 */
export const up = `
  alter table payment_inbox add column is_dispute_over boolean;
`;
