/**
 * How the two players of a game met (ruling 42): part of the row that follows from the game's log. Null while a listed game waits, and for
 * games whose log began before format 6, except rematches, whose logs always said so.
 */
export const up = `
  alter table games add column pairing text check (pairing in ('matchmaking', 'address', 'invitation', 'rematch'));

  update games set pairing = 'rematch'
  from game_log first where first.game_id = games.id and first.version = 1 and first.entry like '%"rematchOf"%';
`;
