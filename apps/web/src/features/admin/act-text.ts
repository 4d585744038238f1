import type { AdminAct } from "@holo/protocol/admin-views.ts";

export const ACT_WORDS: Readonly<Record<AdminAct, string>> = {
  owner_set: "CEO named",
  admin_added: "Admin added",
  admin_removed: "Admin removed",
  settings_changed: "Rate or fee changed",
  review_credited: "Payment credited",
  review_refunded: "Payment refunded",
  review_taken: "Refunded coins taken back",
  review_borne: "Refund borne by the platform",
  left_coins_sent: "Coins sent to who left",
  reconciled: "Compared with the provider",
  revenue_withdrawn: "Revenue withdrawn",
  maintenance_begun: "Maintenance begun",
  maintenance_ended: "Maintenance ended",
  player_blocked: "Player blocked",
  player_unblocked: "Player unblocked",
  game_cancelled: "Game cancelled",
  report_ended: "Report ended",
  release_uploaded: "App version uploaded",
  release_made_current: "App version made current",
};
