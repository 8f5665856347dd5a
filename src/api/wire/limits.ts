import type { Static } from 'typebox';
import type { LimitKind } from '../../domain/domain-error.ts';
import { int32, int64, object } from './named.ts';

export const Limit = object('Limit', 'A limit and its current usage.', {
  limit: int32({ description: '2147483647 means unlimited.' }),
  used: int64(),
});

export const AccountLimits = object('AccountLimits', 'Account limits.', {
  access_rules: Limit,
  dedicated_ipv4: Limit,
  devices: Limit,
  dns_servers: Limit,
  requests: Limit,
  user_rules: Limit,
});

export type Usage = { readonly limit: number; readonly used: number };

const INT32_MAX = 2 ** 31 - 1;

export const limitToWire = ({ limit, used }: Usage): Static<typeof Limit> => ({
  limit: Math.min(limit, INT32_MAX),
  used,
});

export const limitsToWire = (usage: Readonly<Record<LimitKind, Usage>>): Static<typeof AccountLimits> => ({
  access_rules: limitToWire(usage.accessRules),
  dedicated_ipv4: limitToWire(usage.dedicatedIpv4),
  devices: limitToWire(usage.devices),
  dns_servers: limitToWire(usage.dnsServers),
  requests: limitToWire(usage.requests),
  user_rules: limitToWire(usage.userRules),
});
