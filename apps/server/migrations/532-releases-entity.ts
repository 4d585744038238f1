/** The builds that are kept, among the specification's entities (530). */
export const up = `
  create view spec.app_versions as
    select id, platform, version, download_url, is_current from app_versions where removed_at is null;
  create trigger read_only instead of insert or update or delete on spec.app_versions
    for each row execute function spec.refuse_change();
`;
