import { z } from "zod";
import { coins, commandId, formField, instant, kobo } from "../fields.ts";
import { settings } from "../platform.ts";
import type { Route, View } from "../route.ts";

const settingChange = settings.extend({
  /** 0 for the initial settings. */
  at: instant,
  /** Null for the initial settings. */
  username: z.string().nullable(),
});
export type SettingChangeView = View<typeof settingChange>;

const adminSettings = settings.extend({
  changes: z.array(settingChange),
});
export type AdminSettingsView = View<typeof adminSettings>;

const settingsEffect = z.strictObject({
  owedCoins: coins,
  owedKoboNow: kobo,
  owedKoboThen: kobo,
  /** Null: the provider did not answer. */
  providerKobo: kobo.nullable(),
});
export type SettingsEffectView = View<typeof settingsEffect>;

export const SETTINGS_ROUTES = {
  adminSettings: { method: "get", path: "/api/admin/settings", access: "ceo", refusals: [], response: adminSettings },
  /** Previews a change; changes nothing. */
  settingsEffect: {
    method: "post",
    path: "/api/admin/settings/effect",
    access: "ceo",
    refusals: ["bad_settings"],
    body: settings,
    response: settingsEffect,
  },
  /** Changes the settings if they are still `expected`. The same command gets the same answer. */
  changeSettings: {
    method: "post",
    path: "/api/admin/settings",
    access: "ceo",
    refusals: ["wrong_password", "bad_settings", "command_id_reused", "settings_changed", "settings_unchanged"],
    body: settings.extend({ commandId, expected: settings, password: formField }),
    response: adminSettings,
  },
} as const satisfies Record<string, Route>;
