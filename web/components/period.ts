/** Period that ends now, or a fixed range. */
export type Period =
  | { readonly kind: 'last'; readonly minutes: number }
  | { readonly kind: 'range'; readonly from: number; readonly to: number };

export const lastHour: Period = { kind: 'last', minutes: 60 };
export const lastDay: Period = { kind: 'last', minutes: 24 * 60 };

const MINUTE_MS = 60_000;

/** Start and end in milliseconds. */
export const rangeOf = (period: Period, now: number): { readonly from: number; readonly to: number } =>
  period.kind === 'range' ? period : { from: now - period.minutes * MINUTE_MS, to: now };

/** Form used in URLs: `60m` or `1700000000000-1700003600000`. */
export const periodText = (period: Period): string =>
  period.kind === 'last' ? `${period.minutes}m` : `${period.from}-${period.to}`;

export function parsePeriod(text: string | undefined): Period | undefined {
  const last = /^(\d{1,7})m$/.exec(text ?? '');
  if (last) return { kind: 'last', minutes: Number(last[1]) };
  const range = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '');
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  return range && from < to ? { kind: 'range', from, to } : undefined;
}
