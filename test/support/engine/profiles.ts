import fc from 'fast-check';
import type { Client } from '../../../src/engine/match/conditions.ts';
import type { Answer, Query } from '../../../src/engine/match/decide.ts';
import { sources } from '../../../src/engine/sources.ts';
import type { PlainList, PlainSource } from './plain-scan.ts';

// Few labels, so that rules and names meet often.
const label = fc.constantFrom('a', 'ads', 'tracker', 'x-1', 'com', '1', '20');
const hostName = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));

const named = fc.tuple(hostName, fc.constantFrom('||N^', '||N^', '|N^', 'N', '*.N^', '||*.N^', '||N^|', '|N|', '||N|'));
const wild = fc.tuple(
  hostName,
  fc.constantFrom('||N', '||ad*.N^', '*tracker*', 'ads.*.N', '|a*N|', 'N^', '*', '||*ads*N^'),
);
const expression = fc.constantFrom('/ads[0-9]*\\./', '/^a/', '/(tracker|x-1)\\.com$/', '/a.b/', '/.*/', '/^[ab]{3,}$/');
const pattern = fc.oneof(
  { weight: 6, arbitrary: named.map(([name, form]) => form.replace('N', name)) },
  { weight: 2, arbitrary: wild.map(([name, form]) => form.replace('N', name)) },
  { weight: 1, arbitrary: expression },
);

const rewrite = fc.constantFrom(
  'dnsrewrite=1.2.3.4',
  'dnsrewrite=1.2.3.5',
  'dnsrewrite=::5',
  'dnsrewrite=a.com',
  'dnsrewrite=ads.com',
  'dnsrewrite=REFUSED',
  'dnsrewrite=NXDOMAIN;;',
  'dnsrewrite=NOERROR;;',
  'dnsrewrite=NOERROR;TXT;hi',
  'dnsrewrite',
);
const modifier = fc.oneof(
  fc.constantFrom('important', 'badfilter', 'dnstype=A', 'dnstype=~A', 'dnstype=CNAME|AAAA', 'third-party'),
  fc.constantFrom('client=phone', 'client=~phone', "client='Tom\\'s phone'", 'client=10.0.0.0/8', 'client=~10.1.2.3'),
  fc.constantFrom('ctag=kid', 'ctag=~kid', 'respgeo=DE', 'respgeo=~US', 'respgeo=AS64500|NL'),
  hostName.map((name) => `denyallow=${name}`),
  { weight: 2, arbitrary: rewrite },
);
const modifiers = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.uniqueArray(modifier, { minLength: 1, maxLength: 3 }).map((all) => `$${all.join(',')}`) },
);

const adblockRule = fc
  .tuple(fc.constantFrom('', '', '@@'), pattern, modifiers)
  .map(([allow, itsPattern, itsModifiers]) => allow + itsPattern + itsModifiers);
const hostsLine = fc
  .tuple(fc.constantFrom('0.0.0.0', '127.0.0.1', '::', '1.2.3.4', '1.2.3.5', '2001:db8::1'), hostName, hostName)
  .map(([address, one, other]) => (one.length % 3 === 0 ? `${address}\t${one} ${other} # both` : `${address} ${one}`));
const line = fc.oneof(
  { weight: 12, arbitrary: adblockRule },
  { weight: 3, arbitrary: hostsLine },
  { weight: 1, arbitrary: adblockRule.map((rule) => ` ${rule.toUpperCase()} `) },
  { weight: 1, arbitrary: fc.constantFrom('', '! ads.com', '# ads.com', 'no rule', '||1.2.3.4^', '||1.2.*', '##.ad') },
);

const list = (id: string): fc.Arbitrary<PlainList> =>
  fc.record({
    id: fc.constant(id),
    text: fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n')).map(([all, end]) => all.join(end)),
    answering: fc.boolean(),
  });

/** Lists of rules in some of the sources; one of the rules may be switched off by the user. */
export const someSources: fc.Arbitrary<readonly PlainSource[]> = fc
  .tuple(
    fc.oneof(fc.constant(sources.slice(0, 2)), fc.subarray([...sources], { minLength: 1, maxLength: 4 })),
    fc.nat(),
  )
  .chain(([chosen, off]) =>
    fc
      .tuple(
        ...chosen.map(({ name }) =>
          fc.record({ source: fc.constant(name), lists: fc.tuple(list(`${name} 1`), list(`${name} 2`)) }),
        ),
      )
      .map((all) =>
        off % 2 === 0 ? all : [...all, { source: 'user rules' as const, lists: [switchingOff(all, off)] }],
      ),
  );

function switchingOff(all: readonly PlainSource[], nth: number): PlainList {
  const rules = all.flatMap(({ lists }) => lists.flatMap(({ text }) => text.split(/\r?\n/))).filter(Boolean);
  const rule = rules[nth % rules.length] ?? '';
  return { id: 'switching off', text: `${rule}${rule.includes('$') ? ',' : '$'}badfilter` };
}

const ordinaryLabel = label.map((text) => new TextEncoder().encode(text));
const oddLabel = fc.oneof(
  fc
    .constantFrom('a.com', 'ADS', 'A\\B', 'x\x00', '\xe4ds')
    .map((text) => Uint8Array.from(text, (each) => each.charCodeAt(0))),
  fc.uint8Array({ minLength: 1, maxLength: 63 }),
);
/** A name in wire form, in the middle of other bytes or at the end of them. */
const wire = fc
  .tuple(
    fc.array(fc.oneof({ weight: 20, arbitrary: ordinaryLabel }, { weight: 1, arbitrary: oddLabel }), { maxLength: 5 }),
    fc.nat(3),
    fc.nat(9),
  )
  .map(([labels, at, behind]) => {
    const name = [...labels.flatMap((bytes) => [bytes.length, ...bytes]), 0];
    return { name: Uint8Array.from([...Array<number>(at).fill(7), ...name, ...Array<number>(behind).fill(7)]), at };
  })
  .filter(({ name }) => name.length <= 255);

const client: fc.Arbitrary<Client | undefined> = fc.option(
  fc.record({
    name: fc.constantFrom(undefined, 'Phone', "Tom's phone", 'tv'),
    address: fc.constantFrom(undefined, Uint8Array.of(10, 1, 2, 3), Uint8Array.of(192, 0, 2, 1), new Uint8Array(16)),
    tags: fc.constantFrom(undefined, [], ['kid'], ['kid', 'phone']),
  }),
  { nil: undefined },
);

export const someQuery: fc.Arbitrary<Query> = fc
  .tuple(wire, fc.constantFrom(1, 28, 5, 16), client)
  .map(([{ name, at }, type, who]) => ({ name, at, type, client: who }));

const location = fc.record({
  country: fc.constantFrom(undefined, 'DE', 'us', 'NL'),
  network: fc.constantFrom(undefined, 64500, 1),
});
const address = fc.constantFrom(
  Uint8Array.of(1, 2, 3, 4),
  Uint8Array.of(1, 2, 20, 1),
  Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
);

export const someAnswer: fc.Arbitrary<Answer> = fc.oneof(
  someQuery.map((query) => ({ kind: 'name' as const, ...query })),
  fc
    .tuple(address, someQuery)
    .map(([bytes, { type, client: who }]) => ({ kind: 'address' as const, address: bytes, type, client: who })),
  fc.tuple(location, someQuery).map(([where, query]) => ({ kind: 'location' as const, ...where, ...query })),
);
