/** The daily comparison and the figures of a period read payments by time. */
export const up = "";
export const online = ["create index concurrently if not exists payments_by_time on payments (created_at)"];
