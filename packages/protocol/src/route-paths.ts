/** Method and path of every route without its schemas, for the page. A test holds it equal to routes.ts. */
export const ROUTE_PATHS = {
  register: ["POST", "/api/register"],
  login: ["POST", "/api/login"],
  logout: ["POST", "/api/logout"],
  session: ["GET", "/api/session"],
  profile: ["GET", "/api/profile"],
  updateProfile: ["PATCH", "/api/profile"],
  matches: ["GET", "/api/matches"],
  match: ["GET", "/api/matches/{id}"],
  settlement: ["GET", "/api/matches/{id}/settlement"],
  log: ["GET", "/api/matches/{id}/log"],
  player: ["GET", "/api/players/{id}"],
  updateRelation: ["PATCH", "/api/players/{id}/relation"],
  report: ["POST", "/api/reports"],
  availability: ["GET", "/api/availability"],
  stats: ["GET", "/api/stats"],
} as const;
