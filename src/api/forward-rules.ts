import Type, { type Static } from 'typebox';
import { mayWrite } from '../domain/account.ts';
import { changed } from '../domain/audit.ts';
import { checkForwardRule, MAX_FORWARD_RULES, type ForwardRule as Rule } from '../domain/forward-rules.ts';
import type { Transaction } from '../domain/repositories.ts';
import { withoutUrlSecrets } from '../domain/url-secrets.ts';
import { err, ok } from '../kit/result.ts';
import { newId } from '../operations/new-secrets.ts';
import { assignableTo } from './assignable-networks.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { profileIds } from './local-records.ts';
import { mutation, type Operation, query } from './operation.ts';
import { ForwardRule, ForwardRuleInput, ForwardRules, forwardRuleToWire } from './wire/local-names.ts';

const group = 'Local names';
const Params = Type.Object({ forward_rule_id: Type.String({ description: 'Forwarding rule id.' }) });
const notFound = { kind: 'not found', what: 'forwarding rule' } as const;

type Checked = { readonly others: readonly Rule[]; readonly input: Static<typeof ForwardRuleInput> };

async function check(store: Transaction, deps: Deps, caller: Caller, { others, input }: Checked) {
  const mayBePrivate = (await assignableTo(store, deps, caller)) !== 'none';
  const { domain, upstreams, strategy, dns_server_id: profile } = input;
  const profiles = await profileIds(store, caller.account);
  return checkForwardRule(others, { domain, upstreams, strategy, profile }, profiles, (texts) =>
    deps.checkForwardUpstreams(texts, mayBePrivate),
  );
}

export const forwardRuleOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/forward_rules',
    operationId: 'listForwardRules',
    group,
    summary: 'List forwarding rules',
    description: 'Queries for these domains and networks are sent to other upstreams.',
    query: Type.Object(listParameters),
    reply: ForwardRules,
    replyHeaders: listHeaders,
    responseDescription: 'The rules, sorted by domain.',
    errors: [400],
    run: async (store, { caller, query }, deps) => {
      const rules = await store.forwardRules.list(caller.account);
      const shown = mayWrite(caller.role)
        ? rules
        : rules.map((rule) => ({ ...rule, upstreams: rule.upstreams.map(withoutUrlSecrets) }));
      const mayBePrivate = (await assignableTo(store, deps, caller)) !== 'none';
      return pageOfList(
        shown.map(forwardRuleToWire),
        query,
        ({ id }) => id,
        (rules) => ({
          forward_rules: rules,
          may_be_private: mayBePrivate,
        }),
      );
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/forward_rules',
    operationId: 'createForwardRule',
    group,
    summary: 'Create a forwarding rule',
    description:
      'Queries for the domain and all names below it go to these upstreams from the next query on; the longest domain decides. The rule precedes forwarding rules of the operator and the zones that are answered locally, and its answers may have private addresses. Filter rules still apply. Private addresses may be named while there is one account, and by the operator; other upstreams are at public addresses and ports 53, 443 and 853.',
    body: ForwardRuleInput,
    reply: ForwardRule,
    responseDescription: 'The rule in canonical form.',
    errors: [400, 429],
    run: async (store, { caller, body }, deps) => {
      const { account } = caller;
      const others = await store.forwardRules.list(account);
      if (others.length >= MAX_FORWARD_RULES)
        return err({ kind: 'limit reached', what: 'forwardRules', limit: MAX_FORWARD_RULES });
      const content = await check(store, deps, caller, { others, input: body });
      if (!content.ok) return content;
      const rule = { id: newId(deps), account, ...content.value };
      await store.forwardRules.add(rule);
      const audit = { action: 'forward_rule.create', subject: rule.id, ...changed(undefined, rule) };
      return ok({ reply: forwardRuleToWire(rule), audit });
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/forward_rules/:forward_rule_id',
    operationId: 'updateForwardRule',
    group,
    summary: 'Replace a forwarding rule',
    description: 'All members are replaced. The change applies to the next query.',
    params: Params,
    body: ForwardRuleInput,
    reply: ForwardRule,
    responseDescription: 'The rule in canonical form.',
    errors: [400, 404],
    run: async (store, { caller, params, body }, deps) => {
      const rules = await store.forwardRules.list(caller.account);
      const before = rules.find(({ id }) => id === params.forward_rule_id);
      if (!before) return err(notFound);
      const others = rules.filter((rule) => rule !== before);
      const content = await check(store, deps, caller, { others, input: body });
      if (!content.ok) return content;
      const after = { id: before.id, account: caller.account, ...content.value };
      await store.forwardRules.update(after);
      const audit = { action: 'forward_rule.update', subject: after.id, ...changed(before, after) };
      return ok({ reply: forwardRuleToWire(after), audit });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/forward_rules/:forward_rule_id',
    operationId: 'removeForwardRule',
    group,
    summary: 'Delete a forwarding rule',
    description: 'Queries for the domain use the upstreams of the DNS server again.',
    params: Params,
    responseDescription: 'Rule deleted.',
    errors: [404],
    run: async (store, { caller: { account }, params }) => {
      const before = (await store.forwardRules.list(account)).find(({ id }) => id === params.forward_rule_id);
      if (!before) return err(notFound);
      await store.forwardRules.remove(account, before.id);
      const audit = { action: 'forward_rule.remove', subject: before.id, ...changed(before, undefined) };
      return ok({ reply: undefined, audit });
    },
  }),
];
