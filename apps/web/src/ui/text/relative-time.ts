import { DAY_MS, HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/**
 * "just now", "4 min ago", "1 h ago", "Yesterday", then the date in the reader's time zone: "Wed 18
 * Nov". A future instant, from a clock that differs, is "just now".
 */
export function formatRelativeTime(at: number, now: number): string {
  const ageMs = now - at;
  if (ageMs < MINUTE_MS) return "just now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  const day = new Date(at);
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (day >= yesterday) return "Yesterday";
  return formatDay(day, today);
}

/** For use within a sentence: "uploaded yesterday", but "uploaded Wed 18 Nov". */
export function formatRelativeTimeWithin(at: number, now: number): string {
  const text = formatRelativeTime(at, now);
  return text === "Yesterday" ? "yesterday" : text;
}

/**
 * A future instant in the reader's time zone: "today at 14:30", "tomorrow at 09:05", "Wed 18 Nov at
 * 09:05".
 */
export function formatFutureTime(at: number, now: number): string {
  const moment = new Date(at);
  const today = new Date(now);
  const time = [moment.getHours(), moment.getMinutes()].map((part) => `${part}`.padStart(2, "0")).join(":");
  const tomorrow = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
  if (isSameDay(moment, today)) return `today at ${time}`;
  return `${isSameDay(moment, tomorrow) ? "tomorrow" : formatDay(moment, today)} at ${time}`;
}

function formatDay(day: Date, today: Date): string {
  const date = `${DAYS[day.getDay()]} ${day.getDate()} ${MONTHS[day.getMonth()]}`;
  return day.getFullYear() === today.getFullYear() ? date : `${date} ${day.getFullYear()}`;
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString();
}
