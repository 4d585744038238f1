export const TRANSACTION_STATUSES = [
  "abandoned",
  "failed",
  "ongoing",
  "pending",
  "processing",
  "queued",
  "reversed",
  "success",
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

export const TRANSFER_STATUSES = [
  "pending",
  "otp",
  "received",
  "success",
  "failed",
  "reversed",
  "abandoned",
  "blocked",
  "rejected",
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

export type RefundStatus = "pending" | "processing" | "processed" | "failed";
export type DisputeStatus = "awaiting-merchant-feedback" | "awaiting-bank-feedback" | "resolved";
export type DisputeResolution = "merchant-accepted" | "declined";
