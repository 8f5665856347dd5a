/** A stretch of time that ends now, or one between two moments. */
export type Period =
  | { readonly kind: 'last'; readonly minutes: number }
  | { readonly kind: 'range'; readonly from: number; readonly to: number };

export const lastHour: Period = { kind: 'last', minutes: 60 };
export const lastDay: Period = { kind: 'last', minutes: 24 * 60 };

const MINUTE_MS = 60_000;

/** From when to when, in milliseconds. */
export const rangeOf = (period: Period, now: number): { readonly from: number; readonly to: number } =>
  period.kind === 'range' ? period : { from: now - period.minutes * MINUTE_MS, to: now };

/** As it stands in an address: `60m`, or `1700000000000-1700003600000`. */
export const periodText = (period: Period): string =>
  period.kind === 'last' ? `${period.minutes}m` : `${period.from}-${period.to}`;

export function parsePeriod(text: string | undefined): Period | undefined {
  const last = /^(\d{1,7})m$/.exec(text ?? '');
  if (last) return { kind: 'last', minutes: Number(last[1]) };
  const range = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '');
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  return range && from < to ? { kind: 'range', from, to } : undefined;
}
