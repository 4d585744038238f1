/** The routes of people of the house, each for admins or for the CEO alone; part of ROUTES (routes.ts). */
export const ADMIN_ROUTES = {} as const;
