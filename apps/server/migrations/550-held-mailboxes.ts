/**
 * By what a mailbox is known again whose player was blocked or took a break: a keyed hash of the address, never the address. It holds while
 * that player, who may have left, is blocked or on a break, and until `held_until` where it is set: of who left with limits, for the day that
 * loosening one takes. Rows that hold nothing any more are deleted. Instants are ms since 1970.
 */
export const up = `
  create table held_mailboxes (
    mailbox_hash text not null check (mailbox_hash ~ '^[0-9a-f]{64}$'),
    player_id text not null check (length(player_id) between 8 and 36),
    held_until bigint,
    primary key (mailbox_hash, player_id)
  );
  create index held_mailboxes_of_player on held_mailboxes (player_id);
`;
