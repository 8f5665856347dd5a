import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Message } from '../src/dns/message.ts';
import { types } from '../src/dns/numbers.ts';
import { deviceTags } from '../src/domain/device-tags.ts';
import { explainFiles } from '../src/resolver/explain/explain-files.ts';
import { parseRule } from '../src/rules/parse-rule.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { makeHome, startDns } from './support/dns.ts';
import { overUdp } from './support/dns-client.ts';
import { address, alias, startWorld, worldOf } from './support/dns-upstream.ts';

// The same rules in the resolver, in `explain` of the management API and in `weir query`: all give the same result.

const patterns = [
  '||example.com^',
  '|www.example.com^',
  'www.example.com',
  '||*.example.com^',
  '||exam*.com^',
  'example',
  '/^www\\.ex/',
  '*',
  '/.*/',
  '||*^',
  '||target.example.net^',
  'target*.net',
  '||203.0.113.9^',
  '||203.0.113.*',
  '/^203\\.0\\.113\\./',
  '||113.9^',
];

const modifiers = [
  '',
  'important',
  'dnstype=A',
  'dnstype=~A',
  'dnstype=CNAME',
  'dnstype=AAAA|HTTPS',
  'client=127.0.0.1',
  'client=127.0.0.0/8',
  "client='Ann\\'s phone'",
  "client=~Ann's phone",
  'client=~127.0.0.1',
  'client=10.0.0.0/8',
  'ctag=os_android',
  'ctag=~device_phone',
  'ctag=device_tv',
  'denyallow=com|net',
  'denyallow=example.org',
  'dnsrewrite=192.0.2.55',
  'dnsrewrite=REFUSED',
];

const written = (allow: string, pattern: string, modifier: string): string =>
  `${allow}${pattern}${modifier === '' ? '' : `$${modifier}`}`;
const blocks = ['||example.com^', '||203.0.113.9^'];
const ruleSets: readonly (readonly string[])[] = [
  ...patterns.flatMap((pattern) => modifiers.map((modifier) => [written('', pattern, modifier)])),
  ...patterns.map((pattern) => [written('@@', pattern, ''), ...blocks]),
  ...patterns.map((pattern) => [written('@@', pattern, 'client=127.0.0.1'), ...blocks]),
  ...patterns.map((pattern) => [pattern, written('', pattern, 'badfilter'), '||target.example.net^']),
].filter((rules) => rules.every((rule) => parseRule(rule).kind === 'rule'));

/** The queried names, with the names and addresses in their answers. */
const answers: Readonly<Record<string, readonly string[]>> = {
  'www.example.com': ['198.51.100.8'],
  'alias.example.com': ['target.example.net', '203.0.113.9'],
  'other.example.org': ['203.0.113.9'],
};

const world = await startWorld(
  { after },
  worldOf([
    address('www.example.com', '198.51.100.8'),
    alias('alias.example.com', 'target.example.net'),
    address('target.example.net', '203.0.113.9'),
    address('other.example.org', '203.0.113.9'),
  ]),
);
const home = await makeHome(await startDns({ after }, world.address));
const device = await home.device("Ann's phone", 'ANDROID');

type Verdict = { readonly kind: string; readonly rule?: string };

/** The verdict on the query decides, otherwise that on the answer. */
const resultOf = (query: Verdict, answer: Verdict): string =>
  query.kind === 'block' || answer.kind === 'block' ? 'blocked' : query.kind === 'rewrite' ? 'rewritten' : 'answered';

function resultIn({ rcode, answer }: Message, name: string): string {
  if (rcode !== 0) return 'rewritten';
  const last = answer.filter(({ type }) => type === types.A).at(-1);
  const ip = last?.data.join('.');
  if (ip === '0.0.0.0') return 'blocked';
  return ip === answers[name]!.at(-1) ? 'answered' : 'rewritten';
}

test('a rule has the same result in the resolver, in explain and in weir query', async (t) => {
  assert.ok(ruleSets.length >= 300, String(ruleSets.length));
  const file = join(await temporaryFolder(t, {}), 'rules.txt');
  const ask = await overUdp(t, home.service, device.id);
  const results: Record<string, number> = {};
  for (const rules of ruleSets) {
    await home.set({ user_rules_settings: { enabled: true, rules } });
    await writeFile(file, rules.join('\n'));
    for (const [name, answer] of Object.entries(answers)) {
      const live = resultIn(await ask(name), name);
      const explained = await home.ask('POST', `/api/v1/dns_servers/${home.server}/explain`, {
        name,
        device_id: device.id,
        client_address: '127.0.0.1',
        answer,
      });
      const queried = await explainFiles({
        name,
        type: 'A',
        lists: [],
        answering: [],
        rules: [file],
        clients: [device.name, '127.0.0.1'],
        tags: deviceTags.ANDROID,
        answer,
      });
      assert.ok(queried.ok);
      const { verdict, answer: filtered } = queried.value;
      const said = { live, explain: resultOf(explained.verdict, explained.answer.verdict) };
      const expected = resultOf(verdict, filtered.verdict);
      assert.deepEqual(said, { live: expected, explain: expected }, `${name}: ${rules.join(' ')}`);
      assert.equal(explained.verdict.rule, verdict.rule, `${name}: ${rules.join(' ')}`);
      assert.equal(explained.answer.verdict.rule, filtered.verdict.rule, `${name}: ${rules.join(' ')}`);
      results[live] = (results[live] ?? 0) + 1;
    }
  }
  t.diagnostic(`${ruleSets.length} sets of rules: ${JSON.stringify(results)}`);
  // Otherwise the test shows nothing.
  assert.deepEqual(Object.keys(results).toSorted(), ['answered', 'blocked', 'rewritten']);
});
