import type { Scope } from '../../api/statistics.ts';
import { lastDay, parsePeriod } from '../../components/period.ts';

const fields = ['period', 'server', 'device'] as const;

/** Period and filters in the URL. */
export type ScopeSearch = { readonly [field in (typeof fields)[number]]?: string };

export const readScopeSearch = (search: Readonly<Record<string, unknown>>): ScopeSearch =>
  Object.fromEntries(
    fields
      .map((field) => [field, search[field]] as const)
      .filter(([, text]) => typeof text === 'string' && text !== ''),
  );

export const scopeOf = ({ period, server, device }: ScopeSearch): Scope => ({
  period: parsePeriod(period) ?? lastDay,
  server,
  device,
});
