import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  decided,
  decider,
  inWords,
  nameOf,
  profileOf,
  queryFor,
  type Rules,
  secret,
} from '../../../test/support/engine/lists.ts';
import { buildTable } from '../build/build-table.ts';
import { createDecider } from './decide.ts';

/** A table of rules, and what each name is answered. */
const cases: readonly [rules: Rules, answers: Readonly<Record<string, string>>][] = [
  [
    { 'filter lists': '||a.com^\nb.com\n*.c.com^\n|d.com|' },
    {
      'a.com': 'block ||a.com^',
      'x.y.a.com': 'block ||a.com^',
      'A.CoM': 'block ||a.com^',
      'ba.com': 'pass',
      com: 'pass',
      '.': 'pass',
      'b.com': 'block b.com',
      'x.b.com': 'pass',
      'c.com': 'pass',
      'x.c.com': 'block *.c.com^',
      'x\\.c.com': 'pass',
      'd.com': 'block |d.com|',
      'x.d.com': 'pass',
    },
  ],
  [
    { 'filter lists': '||ad*.com^\n/^x[0-9]+\\./\nevil.\n*' },
    {
      'ads.com': 'block ||ad*.com^',
      'my.ad-server.net.com': 'block ||ad*.com^',
      'ads.net': 'pass',
      'x12.org': 'block /^x[0-9]+\\./',
      'x.org': 'pass',
      'evil.org': 'block evil.',
      'not-evil.org': 'block evil.',
    },
  ],
  [
    // Of two rules of one class the more specific gives the reason.
    { 'user rules': '||com^$dnstype=A\n||a.com^\n||x.a.com^\n*.x.a.com^\n|y.x.a.com^\n/a\\.com/' },
    {
      'b.com': 'block ||com^$dnstype=A',
      'a.com': 'block ||a.com^',
      'x.a.com': 'block ||x.a.com^',
      'z.x.a.com': 'block *.x.a.com^',
      'y.x.a.com': 'block |y.x.a.com^',
    },
  ],
  [
    // allow + important, important, allow, block.
    {
      'filter lists': [
        '||a.com^\n||b.com^\n||c.com^$important\n||d.com^$important\n||e.com^',
        '@@||a.com^\n@@||x.b.com^\n@@||c.com^\n@@||d.com^$important\n@@||com^$denyallow=e.com|c.com|b.com',
      ],
    },
    {
      'a.com': 'allow @@||a.com^',
      'b.com': 'block ||b.com^',
      'x.b.com': 'allow @@||x.b.com^',
      'c.com': 'block ||c.com^$important',
      'd.com': 'allow @@||d.com^$important',
      'e.com': 'block ||e.com^',
      'f.com': 'allow @@||com^$denyallow=e.com|c.com|b.com',
    },
  ],
  [
    // Equal rules: more modifiers, then the first list, then the first line.
    {
      'filter lists': [
        '||a.com^\n/b\\.com/\n/b.com/',
        '||a.com^$dnstype=A\n||b.com^\n/c.com/',
        '/c\\.com/\n||a.com^$dnstype=A|MX',
      ],
    },
    {
      'a.com': 'block ||a.com^$dnstype=A',
      'b.com': 'block ||b.com^',
      'x-b.com': 'block /b\\.com/',
      'c.com': 'block /c.com/',
    },
  ],
];

test('the deciding rule is the one with the highest precedence', () => {
  for (const [rules, answers] of cases)
    for (const [name, answer] of Object.entries(answers)) assert.equal(decided(rules, name), answer, name);
});

test('names of maximum length are decided', () => {
  const labels = (count: number): string => Array.from({ length: count }, () => 'a').join('.');
  const long = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}`;
  const rules = { adult: `||${labels(31)}.com^\n||${labels(120)}.net^\n||${long}^` };
  assert.equal(decided(rules, `${labels(30)}.com`), 'pass');
  assert.equal(decided(rules, `${labels(120)}.com`), `block ||${labels(31)}.com^`);
  assert.equal(decided(rules, `${labels(119)}.net`), 'pass');
  assert.equal(decided(rules, `${labels(125)}.net`), `block ||${labels(120)}.net^`);
  assert.equal(decided(rules, `${'x'.repeat(60)}.${long}`), `block ||${long}^`);
});

test('a verdict has its source and its list', () => {
  const { source, list } = decider.decide(queryFor({ name: 'a.com' }), profileOf({ adult: ['||b.com^', '||a.com^'] }));
  assert.deepEqual([source, list?.id], ['adult', 'adult 2']);
});

test('modifiers restrict the clients and queries of a rule', () => {
  const rules = { 'user rules': "||a.com^$dnstype=~A,client='Tom\\'s phone'|10.0.0.0/8,ctag=~kid" };
  const tom = { name: "TOM'S PHONE", address: Uint8Array.of(192, 0, 2, 1) };
  assert.equal(decided(rules, { name: 'a.com', type: 28, client: tom }), `block ${rules['user rules']}`);
  assert.equal(
    decided(rules, { name: 'a.com', type: 28, client: { address: Uint8Array.of(10, 9, 8, 7) } }),
    `block ${rules['user rules']}`,
  );
  assert.equal(decided(rules, { name: 'a.com', type: 1, client: tom }), 'pass');
  assert.equal(decided(rules, { name: 'a.com', type: 28 }), 'pass');
  assert.equal(decided(rules, { name: 'a.com', type: 28, client: { ...tom, tags: ['kid'] } }), 'pass');
});

test('$badfilter of the user disables rules of lists, but not of services', () => {
  const user = '||a.com^$badfilter\n||b.com^$important,badfilter\n/c+/$badfilter\n|d.com^$badfilter';
  const rules = '||a.com^\n||b.com^$important\n/c+\\./\n/c+/\n0.0.0.0 d.com';
  for (const source of ['custom lists', 'filter lists'] as const)
    assert.deepEqual(
      ['x.a.com', 'b.com', 'cc.net', 'd.com', 'c.net'].map((name) =>
        decided({ 'user rules': user, [source]: rules }, name),
      ),
      ['pass', 'pass', 'block /c+\\./', 'pass', 'block /c+\\./'],
    );
  assert.equal(decided({ 'user rules': user, 'blocked services': '||a.com^' }, 'a.com'), 'block ||a.com^');
  assert.equal(decided({ 'custom lists': user, 'filter lists': rules }, 'a.com'), 'block ||a.com^', 'a list cannot');
});

test('the parts of an answer are filtered only with user rules and lists', () => {
  const profile = profileOf({
    'user rules':
      '@@||good.cdn.net^\n||cdn.net^\n||1.2.3.4^\n||2001:db8::1^\n||5.6.*\n||b.com^$dnstype=CNAME\n||a.com^$dnsrewrite=1.1.1.1',
    adult: '||adult.net^',
  });
  const target = (name: string, type = 5): string =>
    inWords(decider.decideAnswer({ kind: 'name', name: nameOf(name), at: 0, type }, profile));
  assert.equal(target('x.cdn.net'), 'block ||cdn.net^');
  assert.equal(target('good.cdn.net'), 'allow @@||good.cdn.net^');
  assert.equal(target('adult.net'), 'pass');
  assert.equal(target('a.com'), 'pass', 'nothing is rewritten');
  assert.equal(target('b.com'), 'block ||b.com^$dnstype=CNAME', 'the type is that of the record');
  assert.equal(target('b.com', 1), 'pass');

  const address = (...bytes: number[]): string =>
    inWords(decider.decideAnswer({ kind: 'address', address: Uint8Array.from(bytes), type: 1 }, profile));
  assert.equal(address(1, 2, 3, 4), 'block ||1.2.3.4^');
  assert.equal(address(1, 2, 3, 5), 'pass');
  assert.equal(address(5, 6, 3, 5), 'block ||5.6.*');
  assert.equal(address(0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), 'block ||2001:db8::1^');
});

test('rules for names do not apply to the addresses of an answer', () => {
  const rules = [
    '*$denyallow=com|net',
    '/.*/',
    '/^\\d+\\./',
    '||4^',
    '||3.4^',
    '||*.4^',
    '*1*$client=phone',
    '||1*$important',
  ];
  const answer = { kind: 'address', type: 1, client: { name: 'phone' } } as const;
  for (const rule of rules) {
    const profile = profileOf({ 'user rules': rule });
    const decide = (...address: number[]): string =>
      inWords(decider.decideAnswer({ ...answer, address: Uint8Array.from(address) }, profile));
    assert.equal(decide(1, 2, 3, 4), 'pass', rule);
    assert.equal(decide(0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), 'pass', rule);
  }
});

test('a name and an address with the same text have different verdicts', () => {
  const profile = profileOf({ 'user rules': '||3.4^' });
  const address = { kind: 'address', type: 1, address: Uint8Array.of(1, 2, 3, 4) } as const;
  assert.equal(decider.decide(queryFor({ name: '1.2.3.4' }), profile).kind, 'block');
  assert.equal(decider.decideAnswer(address, profile).kind, 'pass');
  assert.equal(decider.decide(queryFor({ name: '1.2.3.4' }), profile).kind, 'block');
});

test('rules whose pattern is an address apply to the addresses of an answer', () => {
  const v4 = ['||1.2.3.4^', '1.2.3.4', '||1.2.*', '|1.2.3.', '/^1\\.2\\./', '/^1\\.2\\.\\d{1,3}\\.(4|5)$/'];
  for (const rule of v4) {
    const answer = { kind: 'address', type: 1, address: Uint8Array.of(1, 2, 3, 4) } as const;
    assert.equal(decider.decideAnswer(answer, profileOf({ 'user rules': rule })).kind, 'block', rule);
  }
  const address = Uint8Array.of(0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  for (const rule of ['||2001:db8::1^', '2001:DB8:0::1', '||2001:db8:*', '/^2001:db8:/'])
    assert.equal(
      decider.decideAnswer({ kind: 'address', type: 28, address }, profileOf({ 'user rules': rule })).kind,
      'block',
      rule,
    );
});

test('a pattern that may match an address is tried on addresses', () => {
  const profile = profileOf({ 'filter lists': '||5.6.*' });
  const answer = { kind: 'address', type: 1 } as const;
  assert.equal(decider.decideAnswer({ ...answer, address: Uint8Array.of(5, 6, 7, 8) }, profile).kind, 'block');
  assert.equal(profileOf({ 'filter lists': '||a.com^\n||ads*.com^' }).hasAddresses, false, 'and others are not');
});

test('$respgeo applies only to the location of an answer', () => {
  const rules = { 'filter lists': '||a.com^$respgeo=DE|AS64500\n||b.com^$respgeo=~US\n||c.com^' };
  const profile = profileOf(rules);
  const from = (name: string, country?: string, network?: number): string =>
    inWords(decider.decideAnswer({ kind: 'location', name: nameOf(name), at: 0, type: 1, country, network }, profile));
  assert.equal(from('a.com', 'de'), 'block ||a.com^$respgeo=DE|AS64500');
  assert.equal(from('a.com', 'NL', 64500), 'block ||a.com^$respgeo=DE|AS64500');
  assert.equal(from('a.com', 'NL', 1), 'pass');
  assert.equal(from('b.com', 'NL'), 'block ||b.com^$respgeo=~US');
  assert.equal(from('b.com', 'US'), 'pass');
  assert.equal(from('c.com', 'US'), 'pass', 'the question was asked before');
  assert.equal(decided(rules, 'a.com'), 'pass');
});

test('the verdict cache stores only results that follow from the name', () => {
  const profile = profileOf({ 'user rules': '||a.com^$dnstype=A\n||b.com^', adult: '||c.com^' });
  const ask = (name: string, type: number): string => inWords(decider.decide(queryFor({ name, type }), profile));
  const twice = (name: string, type: number): readonly string[] => [ask(name, type), ask(name, type)];
  assert.deepEqual(twice('a.com', 28), ['pass', 'pass']);
  assert.deepEqual(twice('a.com', 1), ['block ||a.com^$dnstype=A', 'block ||a.com^$dnstype=A']);
  assert.deepEqual(twice('X.b.com', 1), ['block ||b.com^', 'block ||b.com^']);
  assert.deepEqual(twice('c.com', 1), ['block ||c.com^', 'block ||c.com^']);
  const answer = { kind: 'name', name: nameOf('c.com'), at: 0, type: 5 } as const;
  assert.equal(decider.decideAnswer(answer, profile).kind, 'pass', 'answers are asked of fewer lists');
  assert.equal(decider.decide(queryFor({ name: 'c.com' }), profile).kind, 'block');
});

test('the rule text of a cached verdict has the case of the last query', () => {
  const profile = profileOf({ 'filter lists': '||b.com^' });
  decider.decide(queryFor({ name: 'b.com' }), profile);
  const query = { name: Uint8Array.from([9, 9, ...nameOf('B.com'), 9]), at: 2, type: 1 };
  const { kind, by } = decider.decide(query, profile);
  assert.equal(kind, 'block');
  assert.equal(by.name, query.name);
  assert.equal(by.nameAt, 2);
});

test('a full verdict cache evicts older entries', () => {
  const [tight, forgetful] = [createDecider(secret, 1), createDecider(secret, 0)];
  const profile = profileOf({ 'filter lists': '||1.com^\n||3.com^\n||x.5.com^' });
  const names = ['1.com', '2.com', 'y.3.com', '4.com', 'x.5.com', '6.com', '1.com', '7.com', 'X.5.com', '1.com'];
  for (const name of [...names, ...names]) {
    const query = queryFor({ name });
    assert.equal(inWords(tight.decide(query, profile)), inWords(forgetful.decide(query, profile)), name);
  }
});

test('tables with another secret are rejected', () => {
  const other = createDecider(new Uint8Array(8));
  assert.throws(() => other.decide(queryFor({ name: 'a.com' }), profileOf({ adult: '||a.com^' })), /another secret/);
  assert.equal(other.decide(queryFor({ name: 'a.com' }), profileOf({})).kind, 'pass');
});

test('decisions by domain rules allocate nothing', () => {
  const names = Array.from({ length: 300 }, (_, nth) => `||n${nth}.com^`).join('\n');
  const profile = profileOf({ 'user rules': '@@||allowed.com^', 'filter lists': names, adult: '||ad*ult.com^' });
  const queries = ['n1.com', 'x.n2.com', 'passes.org', 'allowed.com'].map((name) => queryFor({ name }));
  const decideAll = (times: number): void => {
    for (let nth = 0; nth < times; nth++) for (const query of queries) decider.decide(query, profile);
  };
  decideAll(50_000);
  const before = process.memoryUsage().heapUsed;
  decideAll(50_000);
  const bytes = (process.memoryUsage().heapUsed - before) / 200_000;
  assert.ok(bytes < 4, `${bytes} bytes a decision`);
});

test('a table is used by other threads without a copy', async () => {
  const { buffer } = buildTable(new TextEncoder().encode('||a.com^\n||b.com^$important'), { secret });
  const worker = new Worker(
    `const { workerData: { folder, buffer, secret }, parentPort } = require('node:worker_threads');
     Promise.all(['match/decide', 'list-table', 'match/profile'].map((file) => import(folder + file + '.ts'))).then(
       ([{ createDecider }, { openTable }, { composeProfile }]) => {
         new Uint8Array(buffer)[buffer.byteLength - 1] = 7;
         const profile = composeProfile([{ source: 'adult', tables: [openTable('list', buffer)] }]);
         const decide = (...name) => createDecider(secret).decide({ name: Uint8Array.from(name), at: 0, type: 1 }, profile).kind;
         parentPort.postMessage([decide(1, 97, 3, 99, 111, 109, 0), decide(1, 98, 3, 99, 111, 109, 0), decide(1, 99, 0)]);
       });`,
    { eval: true, workerData: { folder: new URL('../', import.meta.url).href, buffer, secret } },
  );
  const kinds = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await worker.terminate();
  assert.deepEqual(kinds, ['block', 'block', 'pass']);
  assert.equal(new Uint8Array(buffer).at(-1), 7, 'what one thread writes the other reads');
});
