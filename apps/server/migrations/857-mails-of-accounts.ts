/** The account that a mail is about: deleting it deletes its mails, also those to earlier addresses. */
export const up = `alter table outbox add column account_id text;`;
