import { expect, it } from "vitest";
import { isUsernameReserved } from "./reserved-usernames.ts";

it.each([
  "admin",
  "Admin",
  "ADMIN_",
  "-admin-",
  "a_d_m_i_n",
  "adm1n",
  "adrnin",
  "adm_ln",
  "4dmin",
  "admin99",
  "admin_ada",
  "HoloAdmin",
  "Holo-Arena",
  "h0l0arena",
  "holo_support",
  "Supp0rt",
  "support24",
  "moderator",
  "m0derat0r",
  "CEO",
  "ceo1",
  "system",
  "root",
  "owner",
  "staff",
  "null",
  "gone-0123456789",
])("reserves %s", (username) => {
  expect(isUsernameReserved(username)).toBe(true);
});

it.each([
  "ada",
  "bola",
  "Badmington",
  "player1_lagos",
  "Rooter",
  "teamwork",
  "Holodeck",
  "Modupe",
  "helpful",
  "Usernoun",
  "gonexa",
  "infoway",
])("leaves %s to players", (username) => {
  expect(isUsernameReserved(username)).toBe(false);
});
