import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mark, unmarked } from '../../test/support/rules/marked.ts';
import { readModifiers } from './read-modifiers.ts';

function read(text: string, allow = false) {
  const modifiers = readModifiers(text, allow);
  assert.ok(modifiers.ok, text);
  return modifiers.value;
}

test('modifiers together make up what a rule is limited to', () => {
  assert.deepEqual(read('important,dnstype=A,badfilter'), {
    meaning: { important: true, types: { negated: false, types: new Set([1]) }, badfilter: true },
    limitsQueries: true,
  });
  assert.deepEqual(read('~important'), { meaning: {}, limitsQueries: false });
});

test('commas too many part nothing', () => {
  assert.deepEqual(read(''), { meaning: {}, limitsQueries: false });
  assert.deepEqual(read(',important,,').meaning, { important: true });
});

test('a comma behind a backslash belongs to the value', () => {
  assert.deepEqual(read('client=a\\,b,important').meaning, {
    clients: { only: [{ kind: 'name', name: 'a,b' }], except: [] },
    important: true,
  });
});

test('an exception may leave out what it does not rewrite', () => {
  assert.deepEqual(read('dnsrewrite', true).meaning, { rewrite: { kind: 'any' } });
  assert.deepEqual(read('dnsrewrite=', true).meaning, { rewrite: { kind: 'any' } });
  assert.deepEqual(read('dnsrewrite=a.com', true).meaning, { rewrite: { kind: 'cname', target: 'a.com' } });
});

const faults: readonly (readonly [reason: RegExp, marked: string, unknown?: string])[] = [
  [/^the modifier "third-party" is not supported by a DNS filter$/, 'important,«third-party»,script', 'third-party'],
  [/^the modifier "domain" is not supported/, ',«domain=a.com|b.com»', 'domain'],
  [/^the modifier "~dnstype" is not supported/, '«~dnstype=A»', '~dnstype'],
  [/^the modifier "Important" is not supported/, '«Important»', 'Important'],
  [/^the modifier "" is not supported/, '«=»', ''],
  [/^the modifier "important" is given twice$/, 'important,«important»'],
  [/^the modifier "important" is given twice$/, 'important,«~important»'],
  [/^the modifier "important" is given twice$/, '~important,«important»'],
  [/^the modifier "dnstype" is given twice$/, 'dnstype=A,«dnstype=B»'],
  [/^the modifier "important" takes no value$/, 'dnstype=A,important«=1»'],
  [/^the modifier "badfilter" takes no value$/, 'badfilter«=»'],
  [/^the modifier "dnstype" needs a value, as in dnstype=A\|AAAA$/, 'dnstype«»,important'],
  [/^the modifier "client" needs a value/, 'important,client=«»'],
  [/^the modifier "dnsrewrite" needs a value/, 'dnsrewrite«»'],
  [/^"B" is not a record type/, 'important,dnstype=A|«B»'],
  [/^the closing ' is missing; write a comma in the name as \\,$/, "client=«'a»,b'"],
];
for (const [reason, marked, unknown] of faults) {
  test(`in $${marked} is a fault: ${reason.source}`, () => {
    const { text, start, end } = unmarked(marked);
    const modifiers = readModifiers(text, false);
    assert.ok(!modifiers.ok);
    const { fault } = modifiers.error;
    assert.match(fault.reason, reason);
    assert.deepEqual([fault.start, fault.end, modifiers.error.unknown], [start, end, unknown], mark(text, fault));
  });
}
