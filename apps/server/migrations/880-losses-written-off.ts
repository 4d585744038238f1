/**
 * A transfer that was paid after its coins had been returned is completed once staff write off the
 * loss.
 */
export const up = `
  alter table payments drop constraint payments_check3;
  alter table payments add constraint payments_check3
    check (status <> 'completed' or (money in ('credited', 'restored', 'paid', 'lost') and completed_at is not null)) not valid;
`;
export const online = ["alter table payments validate constraint payments_check3"];
