/**
 * Backups that succeeded, by the program that made them: the data of before `taken_at` are safe.
 * Operators add those of other programs themselves (docs/operations/backup.md).
 */
export const up = `
  create table backups (
    tool text not null check (length(tool) between 1 and 50),
    taken_at timestamptz not null default clock_timestamp(),
    primary key (tool, taken_at)
  );
`;
