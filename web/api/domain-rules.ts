import { queryOptions } from '@tanstack/react-query';
import type { Explanation } from './log-wire.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { DnsServer } from './wire.ts';

export type Wish = 'block' | 'allow';

const serverPath = (server: string): string => `/oapi/v1/dns_servers/${encodeURIComponent(server)}`;
const temporaryPath = (server: string): string => `/api/v1/dns_servers/${encodeURIComponent(server)}/temporary_rules`;

/** Names that a rule can be made of without any of it being read as more than a name. */
export const canBeRule = (name: string): boolean => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(name);

const ruleFor: Readonly<Record<Wish, (name: string) => string>> = {
  block: (name) => `||${name}^`,
  allow: (name) => `@@||${name}^`,
};
const opposite: Readonly<Record<Wish, Wish>> = { block: 'allow', allow: 'block' };

export type TemporaryRule = { readonly id: string; readonly rule: string; readonly seconds_left: number };

/** A service that knows no rules for a while answers that there is no such thing. */
export const temporaryRulesQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'temporary rules'],
    queryFn: ({ signal }) => request<TemporaryRule[]>('GET', temporaryPath(server), { signal }),
  });

/** What decides instead, although the rule is there. */
type Stronger = { readonly rule: string } | undefined;

export type Done = { readonly undo: () => Promise<void>; readonly stronger: Stronger };

/** Rules are off at this server, and switching them on would switch on others too. */
export class RulesAreOff extends Error {}

type Rules = readonly string[];

async function changeRules(server: string, change: (rules: Rules) => Rules): Promise<void> {
  // Read just before: somebody may have written rules since this page did.
  const { settings } = await request<DnsServer>('GET', serverPath(server));
  const { enabled, rules } = settings.user_rules_settings;
  if (!enabled && rules.length > 0) throw new RulesAreOff();
  const body = { user_rules_settings: { enabled: true, rules: change(rules) } };
  await request('PUT', `${serverPath(server)}/settings`, { body });
  await shown();
}

const shown = (): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['servers'] }),
    queryClient.invalidateQueries({ queryKey: ['explain'] }),
  ]);

/** A user rule of the server, in the place of one that says the contrary. */
export async function decideForGood(server: string, name: string, wish: Wish): Promise<Done> {
  const added = ruleFor[wish](name);
  const contrary = ruleFor[opposite[wish]](name);
  let hadContrary = false;
  let hadIt = false;
  await changeRules(server, (rules) => {
    hadContrary = rules.includes(contrary);
    hadIt = rules.includes(added);
    return [...rules.filter((rule) => rule !== contrary && rule !== added), added];
  });
  return {
    stronger: await strongerThan(server, name, wish),
    undo: () =>
      changeRules(server, (rules) => [
        ...rules.filter((rule) => hadIt || rule !== added),
        ...(hadContrary && !rules.includes(contrary) ? [contrary] : []),
      ]),
  };
}

/** A rule that ends by itself. It is to win over what was decided for good, so it is an important one. */
export async function decideForMinutes(server: string, name: string, wish: Wish, minutes: number): Promise<Done> {
  const important = (which: Wish): string => `${ruleFor[which](name)}$important`;
  const known = await request<TemporaryRule[]>('GET', temporaryPath(server));
  const contrary = known.find(({ rule }) => rule === important(opposite[wish]));
  if (contrary) await request('DELETE', `${temporaryPath(server)}/${encodeURIComponent(contrary.id)}`);
  const body = { rule: important(wish), minutes };
  const { id } = await request<TemporaryRule>('POST', temporaryPath(server), { body });
  await shown();
  return {
    stronger: await strongerThan(server, name, wish),
    undo: async () => {
      await request('DELETE', `${temporaryPath(server)}/${encodeURIComponent(id)}`);
      await shown();
    },
  };
}

async function strongerThan(server: string, name: string, wish: Wish): Promise<Stronger> {
  const path = `/api/v1/dns_servers/${encodeURIComponent(server)}/explain`;
  const { verdict } = await request<Explanation>('POST', path, { body: { name } });
  return verdict.kind === wish || verdict.rule === undefined ? undefined : { rule: verdict.rule };
}
