import Type, { type Static } from 'typebox';
import { MAX_EXPRESSION_STEPS } from '../domain/account-limits.ts';
import type { Profile } from '../domain/profile.ts';
import type { ProfileExtensions, TemporaryRule as Rule } from '../domain/profile-extensions.ts';
import { addTemporaryRule, removeTemporaryRule, rulesStillIn } from '../domain/temporary-rules.ts';
import { err, ok } from '../kit/result.ts';
import { newId } from '../operations/new-secrets.ts';
import type { RuleStatus } from './deps.ts';
import { findServer, ServerParams, serverState, stepsBesideTemporary } from './dns-servers.ts';
import { mutation, type Operation, query } from './operation.ts';
import { replaceProfile } from './replace-profile.ts';
import { TemporaryRule, TemporaryRuleCreate } from './wire/profile-extensions.ts';

const group = 'DNS servers';

const toWire = ({ id, rule, endsAt }: Rule, now: number): Static<typeof TemporaryRule> => ({
  id,
  rule,
  time_ends: new Date(endsAt).toISOString(),
  seconds_left: Math.ceil((endsAt - now) / 1000),
});

function whyWithoutEffect(status: RuleStatus): string | undefined {
  if (status.kind === 'rule') return undefined;
  return status.kind === 'comment or blank' ? 'must be a rule, not a comment' : status.reason;
}

export const withExtensions = (profile: Profile, extensions: ProfileExtensions): Profile => ({
  ...profile,
  settings: { ...profile.settings, own: extensions },
});

export const temporaryRuleOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/temporary_rules',
    operationId: 'listTemporaryRules',
    group,
    summary: 'List temporary rules',
    description: 'Temporary rules apply together with the user rules until they expire.',
    params: ServerParams,
    stateOf: serverState,
    reply: Type.Array(TemporaryRule),
    responseDescription: 'Rules that have not expired.',
    errors: [404],
    run: async (store, input, { now }) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      return ok(rulesStillIn(server.value.settings.own, now()).map((rule) => toWire(rule, now())));
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/dns_servers/:dns_server_id/temporary_rules',
    operationId: 'createTemporaryRule',
    group,
    summary: 'Create a temporary rule',
    description:
      'Temporary rules apply together with the user rules, even if user rules are disabled. Use `$important` to override an exception of the user rules. Creating the same rule again replaces its expiry time.',
    params: ServerParams,
    stateOf: serverState,
    body: TemporaryRuleCreate,
    reply: TemporaryRule,
    responseDescription: 'The rule; it applies from the next query on.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const now = deps.now();
      const expressions = {
        limit: MAX_EXPRESSION_STEPS,
        usedElsewhere: await stepsBesideTemporary(store, server.value.account, deps, server.value),
        stepsOf: deps.expressionSteps,
      };
      const noEffect = (rule: string): string | undefined => whyWithoutEffect(deps.ruleStatus(rule));
      const context = { id: newId(deps), now, expressions, noEffect };
      const decided = addTemporaryRule(server.value.settings.own, input.body, context);
      if (!decided.ok) return decided;
      const after = withExtensions(server.value, decided.value.extensions);
      const reply = toWire(decided.value.added, now);
      return replaceProfile(store, { before: server.value, after, action: 'dns_server.temporary_rule' }, reply);
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/dns_servers/:dns_server_id/temporary_rules/:temporary_rule_id',
    operationId: 'removeTemporaryRule',
    group,
    summary: 'Delete a temporary rule',
    description: 'The rule ends before its expiry time.',
    params: Type.Object({ ...ServerParams.properties, temporary_rule_id: Type.String() }),
    stateOf: serverState,
    responseDescription: 'Rule deleted.',
    errors: [404],
    run: async (store, input, deps) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const extensions = removeTemporaryRule(server.value.settings.own, input.params.temporary_rule_id, deps.now());
      if (!extensions) return err({ kind: 'not found', what: 'temporary rule' });
      const after = withExtensions(server.value, extensions);
      return replaceProfile(store, { before: server.value, after, action: 'dns_server.temporary_rule' }, undefined);
    },
  }),
];
