/**
 * A game ends only behind the record that its table knows: a failover can lose that record, and
 * another one can take its version. `hash_before`: of the known one; null for a new game, and from
 * servers of an older release.
 */
export const up = `
  do $do$
  declare
    known text := pg_get_functiondef('lifecycle_findings(jsonb)'::regprocedure);
    columns text := 'change(job int, id uuid, version int';
    is_stale text := '(select game.version from games game where game.id = change.id) is distinct from change.version';
    is_unlike text := '(select log.hash from game_log log where log.game_id = change.id and log.version = change.version)'
      || ' is distinct from change.hash_before';
  begin
    if strpos(known, columns || ')') = 0 or strpos(known, is_stale) = 0 then
      raise exception 'lifecycle_findings is not as this migration expects it';
    end if;
    known := replace(known, columns, columns || ', hash_before text');
    execute replace(known, is_stale, format('(%s or change.hash_before is not null and %s)', is_stale, is_unlike));
  end $do$;
`;
