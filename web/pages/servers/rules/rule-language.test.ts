import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRules, kindOf, lineError, modifiers, switchOff, switchOn } from './rule-language.ts';
import { ruleTokens } from './rule-tokens.ts';

test('rules with an effect, switched-off rules and invalid ones are counted, comments and blank lines are not', () => {
  const lines = [
    '||good.example^',
    '! comment',
    'example.com##.ad',
    '@@||fine.example^',
    '',
    '# x',
    '! ||off.example^',
  ];
  assert.deepEqual(countRules([...lines, '||half..done^']), { on: 2, off: 1, invalid: 2 });
});

test('disabled rules differ from comments, and enabling restores them', () => {
  for (const rule of ['||example.org^', '@@||example.org^$important', '/ads[0-9]+/', '0.0.0.0 example.org']) {
    assert.equal(kindOf(rule), 'on', rule);
    assert.equal(kindOf(switchOff(rule)), 'off', rule);
    assert.equal(switchOn(switchOff(rule)), rule);
  }
  for (const comment of ['! my rules', '# hosts of others', '!', '! see example.org for more', '! google'])
    assert.equal(kindOf(comment), 'comment', comment);
  assert.equal(kindOf('  '), 'blank');
});

test('errors have the same range as in the service', () => {
  assert.equal(lineError('||example.org^'), undefined);
  assert.equal(lineError('! anything'), undefined);
  const fault = lineError('||example.org^$nothing')!;
  assert.deepEqual([fault.kind, fault.start, fault.end], ['ignored', 15, 22]);
  assert.equal(lineError('||bad..name^')?.kind, 'invalid');
  assert.equal(lineError(`||${'a'.repeat(1100)}^`)?.start, 1024);
});

test('all modifiers are offered', () => {
  assert.ok(modifiers.some(({ name, takesValue }) => name === 'dnsrewrite' && takesValue));
  assert.ok(modifiers.some(({ name, takesValue }) => name === 'important' && !takesValue));
});

const coloured = (line: string): string[] =>
  ruleTokens(line).map(({ kind, from, to }) => `${kind} ${line.slice(from, to)}`);

test('the parts of a rule have their own token kinds', () => {
  assert.deepEqual(coloured('@@||example.org^$dnstype=A|AAAA,important'), [
    'allow @@',
    'sign ||',
    'pattern example.org',
    'sign ^',
    'sign $',
    'modifier dnstype',
    'sign =',
    'value A|AAAA',
    'sign ,',
    'modifier important',
  ]);
  assert.deepEqual(coloured('/^a$/$important'), ['expression /^a$/', 'sign $', 'modifier important']);
  assert.deepEqual(coloured('  ! words'), ['comment ! words']);
});
