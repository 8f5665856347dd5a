import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseUpstream } from '../src/domain/upstream-address.ts';
import { explain } from '../src/engine/explain/explain.ts';
import { parseRule } from '../src/rules/parse-rule.ts';
import { matchMessage } from '../web/components/service-message.ts';
import { messageTemplates } from '../web/components/service-message-templates.ts';
import { profileOf, queryFor, readLine, secret } from './support/engine/lists.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Parts of a template that are constant in the source. A requirement is written without "must be". */
const constantParts = (template: string): string[] =>
  template
    .replace(/^must be (?:1 to|one line|an IP address, a network)/, (start) => start.slice('must be '.length))
    .replace(/^(the rule would) \w+/, '$1 {{verb}}')
    .replace(/^(must be an) IPv[46]( address)$/, '$1 {{version}}$2')
    .replace(/^(No more than \{\{limit\}\}) (.+)$/, '$1{{what}}$2')
    .split(/\{\{\w+\}\}/)
    .map((part) => part.replaceAll(/^[": ]+|[": ]+$/g, ''))
    .filter((part) => part.length > 3);

test('every translated message occurs in the source', () => {
  const source = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(root + path, 'utf8').replaceAll(/\\(.)/g, '$1'))
    .join('\n');
  const missing = messageTemplates.filter(([template]) => {
    const text = template.replaceAll(/\\(.)/g, '$1');
    return !constantParts(text).every((part) => source.includes(part));
  });
  assert.deepEqual(missing, []);
});

test('every message with a text is in the table', () => {
  const keysOf = (texts: object, above = ''): string[] =>
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'string' ? [above + name] : keysOf(text as object, `${above}${name}.`),
    );
  const texts = JSON.parse(readFileSync(`${root}web/locales/en/messages.json`, 'utf8')) as object;
  assert.deepEqual(keysOf(texts).sort(), [...new Set<string>(messageTemplates.map(([, key]) => key))].sort());
});

test('messages of the parsers are recognised with their values', () => {
  const ruleError = (rule: string): string => {
    const parsed = parseRule(rule);
    return 'fault' in parsed ? parsed.fault.reason : '';
  };
  const upstream = parseUpstream('quic2://dns.example');
  assert.ok(!upstream.ok);
  const reason = matchMessage(upstream.error)?.values['reason'] ?? '';
  assert.deepEqual(
    [
      matchMessage(ruleError('||bad..name^')),
      matchMessage(ruleError('||example.org^$popup')),
      matchMessage(ruleError('/(ad/')),
      matchMessage(reason),
      matchMessage('a message without a translation'),
    ],
    [
      { key: 'rule.emptyLabel', values: {} },
      { key: 'rule.modifier', values: { name: 'popup' } },
      { key: 'rule.bracket', values: { bracket: ')', literal: '\\(' } },
      { key: 'upstream.scheme', values: { scheme: 'quic2' } },
      undefined,
    ],
  );
});

test('reasons of a decision are recognised with the rule and the source', () => {
  const reasons = (rules: Parameters<typeof profileOf>[0]): unknown[] =>
    explain(queryFor({ name: 'x.a.com' }), profileOf(rules), { secret, readLine }).rules.map(({ why }) =>
      matchMessage(why),
    );
  const lists = '||a.com^\n@@||x.a.com^\n||x.a.com^$dnstype=MX\n||a.com^$important';
  const stronger = {
    key: 'decision.stronger',
    values: { rule: '||a.com^$important', reason: 'what is $important comes first' },
  };
  assert.deepEqual(reasons({ 'user rules': lists, adult: '||a.com^' }), [
    { key: 'decision.highest', values: {} },
    stronger,
    { key: 'decision.type', values: {} },
    stronger,
    { key: 'decision.decided', values: { source: 'user rules' } },
  ]);
  assert.deepEqual(reasons({ 'filter lists': '@@||a.com^', adult: '||a.com^' }), [
    { key: 'decision.notStopped', values: { source: 'adult' } },
    { key: 'decision.highest', values: {} },
  ]);
  assert.deepEqual(matchMessage(stronger.values.reason), { key: 'decision.important', values: {} });
});
