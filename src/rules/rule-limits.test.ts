import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mark, unmarked } from '../../test/support/rules/marked.ts';
import type { Result } from '../kit/result.ts';
import type { RuleError } from './rule-error.ts';
import { readClientLimit, readDenyallow, readLocationLimit, readTagLimit, readTypeLimit } from './rule-limits.ts';

function value<T>(read: Result<T, RuleError>): T {
  assert.ok(read.ok, read.ok ? '' : read.error.reason);
  return read.value;
}

test('types are given by name, in any case, or by number', () => {
  assert.deepEqual(value(readTypeLimit('A')), { negated: false, types: new Set([1]) });
  assert.deepEqual(value(readTypeLimit('aaaa|HTTPS|TYPE65|type65400')), {
    negated: false,
    types: new Set([28, 65, 65400]),
  });
  assert.deepEqual(value(readTypeLimit('~A|~CNAME')), { negated: true, types: new Set([1, 5]) });
});

test('a client is a name, an address or a network', () => {
  assert.deepEqual(value(readClientLimit("Phone|'Élan PC'|~192.168.1.77/24|2001:DB8::1|10.0.0.0/0")), {
    only: [
      { kind: 'name', name: 'phone' },
      { kind: 'name', name: 'Élan pc' },
      {
        kind: 'network',
        address: Uint8Array.of(0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
        prefixLength: 128,
      },
      { kind: 'network', address: Uint8Array.of(0, 0, 0, 0), prefixLength: 0 },
    ],
    except: [{ kind: 'network', address: Uint8Array.of(192, 168, 1, 0), prefixLength: 24 }],
  });
});

test('bits behind the prefix of a network do not count', () => {
  const network = (text: string) => value(readClientLimit(text)).only[0];
  for (const [written, bytes] of [
    ['255.255.255.255/1', [128, 0, 0, 0]],
    ['255.255.255.255/9', [255, 128, 0, 0]],
    ['255.255.255.255/31', [255, 255, 255, 254]],
    ['255.255.255.255/32', [255, 255, 255, 255]],
  ] as const) {
    assert.deepEqual((network(written) as { address: Uint8Array }).address, Uint8Array.from(bytes), written);
  }
});

test('a name that only resembles a network is a name', () => {
  assert.deepEqual(value(readClientLimit('a/b|10.0.0/8|10.0.0.1/8/8')).only, [
    { kind: 'name', name: 'a/b' },
    { kind: 'name', name: '10.0.0/8' },
    { kind: 'name', name: '10.0.0.1/8/8' },
  ]);
});

test('tags are wanted or not wanted', () => {
  assert.deepEqual(value(readTagLimit('device_phone|~User_child')), {
    only: new Set(['device_phone']),
    except: new Set(['user_child']),
  });
});

test('places are countries and networks', () => {
  assert.deepEqual(value(readLocationLimit('us|~DE|as15169|AS4294967295')), {
    only: new Set(['US', 'AS15169', 'AS4294967295']),
    except: new Set(['DE']),
  });
});

test('names to leave alone are names, once each', () => {
  assert.deepEqual(value(readDenyallow('com|Example.ORG|пример.рф|com.')), [
    'com',
    'example.org',
    'xn--e1afmkfd.xn--p1ai',
  ]);
});

const faults: readonly (readonly [
  reason: RegExp,
  read: (value: string) => Result<unknown, RuleError>,
  marked: string,
])[] = [
  [/^"B" is not a record type: write a name such as AAAA/, readTypeLimit, 'A|«B»'],
  [/^"TYPE65536" is not a record type/, readTypeLimit, '«TYPE65536»'],
  [/^the prefix length after "\/" must be 0 to 32$/, readClientLimit, 'a|«10.0.0.0/33»'],
  [/must be 0 to 128$/, readClientLimit, '~«::/129»'],
  [/must be 0 to 32$/, readClientLimit, '«10.0.0.0/»'],
  [/^a value is missing$/, readClientLimit, 'a|«»'],
  [/^a tag can only contain letters, digits and "_"$/, readTagLimit, 'a|«b-c»'],
  [/^"DEU" is neither a country code such as DE/, readLocationLimit, 'US|~«DEU»'],
  [/^"AS0" is neither/, readLocationLimit, '«AS0»'],
  [/^"AS4294967296" is neither/, readLocationLimit, '«AS4294967296»'],
  [/^a name in denyallow cannot have "~"/, readDenyallow, 'a.com|~«b.com»'],
  [/^a "\*" is not allowed in this name$/, readDenyallow, 'a.com|«*».b.com'],
  [/^a label is empty: remove the extra dot$/, readDenyallow, 'a.com|b.«.»com'],
  [/^"," is not allowed in a host name$/, readDenyallow, 'a.com|«b\\,c.com»'],
];
for (const [reason, read, marked] of faults) {
  test(`in ${marked} is a fault: ${reason.source}`, () => {
    const { text, start, end } = unmarked(marked);
    const result = read(text);
    assert.ok(!result.ok);
    assert.match(result.error.reason, reason);
    assert.deepEqual([result.error.start, result.error.end], [start, end], mark(text, result.error));
  });
}

test('$dnstype with and without "~" counts the types without it', () => {
  for (const text of ['~A|AAAA', 'AAAA|~A|~MX'])
    assert.deepEqual(readTypeLimit(text), { ok: true, value: { negated: false, types: new Set([28]) } }, text);
});
