/**
 * Who has a say in the house (ruling 25). A role is read off two facts each time it is asked for, and kept nowhere: whose address it is, and
 * that a mailed link has verified it. The owner's address is the one in the server's configuration, written here at each start. The
 * owner is the CEO and an admin as well.
 */
export const up = `
  create table admin_emails (
    id uuid primary key,
    email text not null check (email = lower(email) and length(email) <= 254),
    created_at bigint not null,
    added_by text not null check (length(added_by) between 8 and 36)
  );
  create unique index admin_emails_email on admin_emails (lower(email));

  create table owner_email (
    is_only boolean primary key default true check (is_only),
    email text not null check (email = lower(email) and length(email) <= 254),
    updated_at bigint not null
  );

  create view user_roles as
    select holder.id as user_id, 'ceo' as role
    from auth_users holder join owner_email owner on owner.email = holder.email
    where holder.email_verified
    union all
    select holder.id, 'admin'
    from auth_users holder
    where holder.email_verified and (
      exists (select from admin_emails listed where lower(listed.email) = holder.email)
      or exists (select from owner_email owner where owner.email = holder.email));
`;
