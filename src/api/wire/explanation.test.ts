import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explained } from '../deps.ts';
import { explanationToWire } from './explanation.ts';

const explained: Explained = {
  client: undefined,
  filtering: 'full',
  localNames: [],
  dns64: undefined,
  verdict: { kind: 'pass' },
  target: undefined,
  answer: {
    filtered: false,
    why: 'no rules filter the answer',
    lists: [],
    locationRules: [],
    verdict: { kind: 'pass' },
    parts: [],
  },
  rules: [],
  skipped: 0,
  missing: [],
};
const bare = {
  filtering: 'full',
  local_names: [],
  verdict: { kind: 'pass' },
  answer: {
    filtered: false,
    why: 'no rules filter the answer',
    filtered_by: [],
    location_rules: [],
    verdict: { kind: 'pass' },
    parts: [],
  },
  rules: [],
  skipped_rules: 0,
  missing_lists: [],
};

test('members without a value are absent', () => {
  assert.deepEqual(explanationToWire(explained), bare);
});

test('the verdict names the source, the list and the rule', () => {
  const verdict = { kind: 'block', source: 'filter lists', list: 'ads', rule: '||ads.example^' } as const;
  const { verdict: shown } = explanationToWire({ ...explained, verdict });
  assert.deepEqual(shown, verdict);
});

test('a rewrite is a domain name, a response code or record data with the type', () => {
  const rewrittenTo = (rewrite: NonNullable<Explained['verdict']['rewrite']>) =>
    explanationToWire({ ...explained, verdict: { kind: 'rewrite', rewrite } }).verdict;
  assert.deepEqual(rewrittenTo({ kind: 'cname', target: 'safe.example' }), {
    kind: 'rewrite',
    rewritten_to: ['safe.example'],
  });
  assert.deepEqual(rewrittenTo({ kind: 'code', code: 'REFUSED' }), { kind: 'rewrite', rewritten_to: ['REFUSED'] });
  const records = { kind: 'records', type: 'A', values: ['192.0.2.1', '192.0.2.2'] } as const;
  assert.deepEqual(rewrittenTo(records).rewritten_to, ['A 192.0.2.1', 'A 192.0.2.2']);
  assert.deepEqual(rewrittenTo({ ...records, values: [] }).rewritten_to, []);
});

test('a client has the device, the identifier that matched and the others that matched', () => {
  const by = { kind: 'mac', value: '00:11:22:33:44:55', device: '0000000a' };
  const network = { kind: 'assigned network', value: '192.168.1.0/24', device: undefined };
  const whole = { device: '0000000a', dnsServer: '00000001', by, others: [network] };
  assert.deepEqual(explanationToWire({ ...explained, client: whole }).client, {
    device_id: '0000000a',
    dns_server_id: '00000001',
    identified_by: { kind: 'mac', value: '00:11:22:33:44:55', device_id: '0000000a' },
    less_specific: [{ kind: 'assigned network', value: '192.168.1.0/24' }],
  });
  const unknown = { device: undefined, dnsServer: undefined, by: undefined, others: [] };
  assert.deepEqual(explanationToWire({ ...explained, client: unknown }).client, { less_specific: [] });
});

test('local names, the prefix of DNS64 and the target of a CNAME are shown', () => {
  const record = { kind: 'alias', name: 'nas.lan', answer: ['nas.lan CNAME disk.lan'], upstreams: [] } as const;
  const forward = { kind: 'forward', name: 'lan', searchedName: 'nas.lan', answer: [], upstreams: ['192.168.1.1'] };
  const target = { name: 'disk.lan', kind: 'forward', answer: [], upstreams: ['192.168.1.1'] } as const;
  const { searchedName, ...rest } = forward;
  assert.deepEqual(
    explanationToWire({
      ...explained,
      localNames: [record, { ...forward, kind: 'forward' }],
      dns64: '64:ff9b::/96',
      target,
    }),
    {
      ...bare,
      local_names: [record, { ...rest, searched_name: searchedName }],
      dns64: '64:ff9b::/96',
      target,
    },
  );
});

test('the rules for the name and for each part of the answer keep their order, outcome and reason', () => {
  const ruleOf = (list: string) => ({
    source: 'filter lists',
    list,
    text: `||${list}.example^`,
    outcome: 'won',
    why: 'the only rule',
  });
  const wireOf = (list: string) => {
    const { text, ...others } = ruleOf(list);
    return { ...others, rule: text };
  };
  const shown = explanationToWire({
    ...explained,
    answer: {
      filtered: true,
      why: 'lists filter it',
      lists: [{ source: 'filter lists', list: 'ads', mayHaveAddressRules: true }],
      locationRules: [{ source: 'user rules', list: 'custom', text: '*$respgeo=QN' }],
      verdict: { kind: 'block', list: 'ads' },
      parts: [{ value: '192.0.2.1', verdict: { kind: 'allow' }, rules: [ruleOf('c'), ruleOf('d')] }],
    },
    rules: [ruleOf('b'), ruleOf('a')],
    skipped: 3,
    missing: ['malware'],
  });
  assert.deepEqual(shown, {
    ...bare,
    answer: {
      filtered: true,
      why: 'lists filter it',
      filtered_by: [{ source: 'filter lists', list: 'ads', may_have_address_rules: true }],
      location_rules: [{ source: 'user rules', list: 'custom', rule: '*$respgeo=QN' }],
      verdict: { kind: 'block', list: 'ads' },
      parts: [{ value: '192.0.2.1', verdict: { kind: 'allow' }, rules: [wireOf('c'), wireOf('d')] }],
    },
    rules: [wireOf('b'), wireOf('a')],
    skipped_rules: 3,
    missing_lists: ['malware'],
  });
});
