import type { Company } from '../domain/catalogue/company.ts';
import type { Device } from '../domain/device.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { HOUR_MS } from '../kit/durations.ts';

export type Traffic = {
  readonly devices: readonly Pick<Device, 'id' | 'account' | 'profile'>[];
  readonly domains: readonly (readonly [name: string, company: Company])[];
  readonly from: number;
  readonly to: number;
  readonly queries: number;
  /** At least 0 and below 1. */
  readonly random: () => number;
};

// Relative load by hour of the day, UTC.
const busyness = [2, 1, 1, 1, 1, 2, 5, 9, 8, 6, 6, 7, 8, 7, 6, 7, 9, 12, 14, 15, 14, 11, 7, 4];
const countries = ['US', 'US', 'US', 'DE', 'DE', 'NL', 'IE', 'FR', 'GB', 'SE', 'JP', 'QN'];
const types = [1, 1, 1, 1, 28, 28, 65];
const protocols = ['DOH', 'DOH', 'DOT', 'DOQ', 'DNS'] as const;

/** Generates queries like those of a household: a daily rhythm, few frequent and many rare names, some blocked. */
export function* generateTraffic(traffic: Traffic): Generator<QueryRecord> {
  const { from, to, queries, random } = traffic;
  const hours = Array.from({ length: Math.max(1, Math.ceil((to - from) / HOUR_MS)) }, (_, at) => from + at * HOUR_MS);
  const weights = hours.map((hour) => busyness[new Date(hour).getUTCHours()]!);
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [at, hour] of hours.entries()) {
    const end = Math.min(hour + HOUR_MS, to);
    const times = Array.from(
      { length: Math.round((queries * weights[at]!) / totalWeight) },
      () => hour + random() * (end - hour),
    );
    for (const time of times.sort((a, b) => a - b)) yield record(traffic, Math.floor(time));
  }
}

function record({ devices, domains, random }: Traffic, time: number): QueryRecord {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  // Squaring favours small numbers: the first names are the most frequent.
  const [domain, company] = domains[Math.floor(random() ** 2 * domains.length)]!;
  const device = pick(devices);
  const isBlocked = (company.category === 'ADS' || company.category === 'TRACKERS') && random() < 0.85;
  const exists = random() > 0.03;
  return {
    time,
    account: device.account,
    dnsServer: device.profile,
    device: device.id,
    domain,
    type: pick(types),
    rcode: exists || isBlocked ? 0 : 3,
    protocol: pick(protocols),
    status: isBlocked ? 'REQUEST_BLOCKED' : 'NONE',
    ...(isBlocked && { source: 'FILTERS', filterId: 'adguard_dns_filter', rule: `||${domain}^` }),
    ...(!isBlocked && { responseCountry: exists ? pick(countries) : 'QN' }),
    clientCountry: 'DE',
    asn: 3320,
    network: 'Home network',
    dnssec: random() < 0.1,
    companyId: company.id,
    category: company.category,
    // Latency: 0 for blocked or cached queries, otherwise that of an upstream.
    latencyMs: isBlocked || time % 5 < 3 ? 0 : 8 + (time % 41),
  };
}
