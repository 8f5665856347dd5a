import { problemOf } from './api-error.ts';
import { opposite, type RuleAction, ruleText } from './domain-rule-text.ts';
import type { Explanation } from './log-wire.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { DnsServer } from './wire.ts';

const serverPath = (server: string): string => `/oapi/v1/dns_servers/${encodeURIComponent(server)}`;
const temporaryPath = (server: string): string => `/api/v1/dns_servers/${encodeURIComponent(server)}/temporary_rules`;

/** A rule for a domain: for all devices of a DNS server, or for one of them. */
export type DomainRule = {
  readonly server: string;
  readonly domain: string;
  readonly action: RuleAction;
  readonly device?: { readonly id: string; readonly name: string } | undefined;
};

type TemporaryRule = { readonly id: string; readonly rule: string; readonly seconds_left: number };

/** Rule that still decides despite the new one. */
type OverridingRule = { readonly rule: string } | undefined;

export type AppliedRule = { readonly undo: () => Promise<void>; readonly overriddenBy: OverridingRule };

/** User rules are switched off, and switching them on would activate the existing rules too. */
export class RulesDisabledError extends Error {}

const rulesPath = (server: string): string => `/api/v1/dns_servers/${encodeURIComponent(server)}/user_rules`;

// Single rules are added and removed: rules that another page adds meanwhile stay.
const addRule = (server: string, rule: string): Promise<unknown> =>
  request('POST', rulesPath(server), { body: { rule } });

/** A rule that was removed meanwhile is not an error. */
async function removeRule(server: string, rule: string): Promise<void> {
  try {
    await request('DELETE', rulesPath(server), { query: { rule } });
  } catch (error) {
    if (problemOf(error).kind !== 'gone') throw error;
  }
}

async function enabledRules(server: string): Promise<readonly string[]> {
  const { settings } = await request<DnsServer>('GET', serverPath(server));
  const { enabled, rules } = settings.user_rules_settings;
  if (!enabled && rules.length > 0) throw new RulesDisabledError();
  if (!enabled)
    await request('PUT', `${serverPath(server)}/settings`, { body: { user_rules_settings: { enabled: true } } });
  return rules;
}

const invalidateRules = (): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['servers'] }),
    queryClient.invalidateQueries({ queryKey: ['explain'] }),
  ]);

/** Adds a user rule and removes the opposite rule for the same domain. */
export async function addPermanentRule(rule: DomainRule): Promise<AppliedRule> {
  const { server, domain, action, device } = rule;
  const added = ruleText(action, domain, { client: device?.name });
  const opposing = ruleText(opposite[action], domain, { client: device?.name });
  const rules = await enabledRules(server);
  const hadOpposing = rules.includes(opposing);
  await addRule(server, added);
  if (hadOpposing) await removeRule(server, opposing);
  await invalidateRules();
  return {
    overriddenBy: await findOverridingRule(rule),
    undo: async () => {
      if (hadOpposing) await addRule(server, opposing);
      if (!rules.includes(added)) await removeRule(server, added);
      await invalidateRules();
    },
  };
}

/** Adds a rule that expires. `$important` makes it override permanent user rules. */
export async function addTimedRule(rule: DomainRule, minutes: number): Promise<AppliedRule> {
  const { server, domain, action, device } = rule;
  const limits = { client: device?.name, isImportant: true };
  const existing = await request<TemporaryRule[]>('GET', temporaryPath(server));
  const opposing = existing.find(({ rule }) => rule === ruleText(opposite[action], domain, limits));
  if (opposing) await request('DELETE', `${temporaryPath(server)}/${encodeURIComponent(opposing.id)}`);
  const body = { rule: ruleText(action, domain, limits), minutes };
  const { id } = await request<TemporaryRule>('POST', temporaryPath(server), { body });
  await invalidateRules();
  return {
    overriddenBy: await findOverridingRule(rule),
    undo: async () => {
      await request('DELETE', `${temporaryPath(server)}/${encodeURIComponent(id)}`);
      await invalidateRules();
    },
  };
}

async function findOverridingRule({ server, domain, action, device }: DomainRule): Promise<OverridingRule> {
  const path = `/api/v1/dns_servers/${encodeURIComponent(server)}/explain`;
  const body = { name: domain, ...(device && { device_id: device.id }) };
  const { verdict } = await request<Explanation>('POST', path, { body });
  return verdict.kind === action || verdict.rule === undefined ? undefined : { rule: verdict.rule };
}
