import { problemOf } from './api-error.ts';
import { opposite, type RuleAction, ruleText } from './domain-rule-text.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

/** A rule for a domain: for all devices of a DNS server, or for one of them. */
export type DomainRule = {
  readonly server: string;
  readonly domain: string;
  readonly action: RuleAction;
  readonly device?: { readonly id: string; readonly name: string } | undefined;
};

/** Rule that still decides despite the new one. */
type OverridingRule = { readonly rule: string } | undefined;

export type AppliedRule = { readonly undo: () => Promise<void>; readonly overriddenBy: OverridingRule };

/** User rules are switched off, and switching them on would activate the existing rules too. */
export class RulesDisabledError extends Error {}

// Single rules are added and removed: rules that another page adds meanwhile stay.
const addRule = (server: string, rule: string): Promise<unknown> =>
  request('POST /api/v1/dns_servers/{dns_server_id}/user_rules', { params: { dns_server_id: server }, body: { rule } });

/** A rule that was removed meanwhile is not an error. */
async function removeRule(server: string, rule: string): Promise<void> {
  try {
    await request('DELETE /api/v1/dns_servers/{dns_server_id}/user_rules', {
      params: { dns_server_id: server },
      query: { rule },
    });
  } catch (error) {
    if (problemOf(error).kind !== 'gone') throw error;
  }
}

async function enabledRules(server: string): Promise<readonly string[]> {
  const { settings } = await request('GET /oapi/v1/dns_servers/{dns_server_id}', { params: { dns_server_id: server } });
  const { enabled, rules } = settings.user_rules_settings;
  if (!enabled && rules.length > 0) throw new RulesDisabledError();
  if (!enabled)
    await request('PUT /oapi/v1/dns_servers/{dns_server_id}/settings', {
      params: { dns_server_id: server },
      body: { user_rules_settings: { enabled: true } },
    });
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
  const params = { dns_server_id: server };
  const limits = { client: device?.name, isImportant: true };
  const existing = await request('GET /api/v1/dns_servers/{dns_server_id}/temporary_rules', { params });
  const opposing = existing.find((temporaryRule) => temporaryRule.rule === ruleText(opposite[action], domain, limits));
  if (opposing)
    await request('DELETE /api/v1/dns_servers/{dns_server_id}/temporary_rules/{temporary_rule_id}', {
      params: { ...params, temporary_rule_id: opposing.id },
    });
  const body = { rule: ruleText(action, domain, limits), minutes };
  const { id } = await request('POST /api/v1/dns_servers/{dns_server_id}/temporary_rules', { params, body });
  await invalidateRules();
  return {
    overriddenBy: await findOverridingRule(rule),
    undo: async () => {
      await request('DELETE /api/v1/dns_servers/{dns_server_id}/temporary_rules/{temporary_rule_id}', {
        params: { dns_server_id: server, temporary_rule_id: id },
      });
      await invalidateRules();
    },
  };
}

async function findOverridingRule({ server, domain, action, device }: DomainRule): Promise<OverridingRule> {
  const { verdict } = await request('POST /api/v1/dns_servers/{dns_server_id}/explain', {
    params: { dns_server_id: server },
    body: { name: domain, ...(device && { device_id: device.id }) },
  });
  return verdict.kind === action || verdict.rule === undefined ? undefined : { rule: verdict.rule };
}
