/** Recognises the secret of the servers (platform/auth-secret.ts), at most one. */
export const up = `
  create table auth_secret (
    is_only boolean primary key default true check (is_only),
    fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$')
  );
`;
