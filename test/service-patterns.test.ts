import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachLimit } from '../src/kit/concurrency.ts';
import { ask, broughtAlong, configurationOf, rulesIn, serviceOfFile } from './support/hostile.ts';

const WORKERS = 3;
const service = await serviceOfFile([
  '--requests-per-minute',
  '100000',
  '--cpu-seconds-per-minute',
  '100000',
  '--compile-workers',
  `${WORKERS + 1}`,
]);

const tooSlow = 'The regular expressions of exclusions or inclusions take too long: simplify them';

// Expressions with catastrophic backtracking, each with a line that triggers it.
const runaways: readonly (readonly [expression: string, line: string])[] = [
  ['^(a+)+$', `${'a'.repeat(40)}!`],
  ['^(a|aa)+$', `${'a'.repeat(60)}!`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', `${'a'.repeat(60)}!`],
  ['(x+x+)+y', 'x'.repeat(40)],
  ['^(.*a){20}$', `${'a'.repeat(40)}!`],
  ['(.*)*=.*=(.*)', 'x'.repeat(5000)],
  ['^(\\w+\\s?)*$', `${'word '.repeat(12)}!`],
  ['((((((((((a)*)*)*)*)*)*)*)*)*)*$', `${'a'.repeat(30)}!`],
  ['\\d+\\d+\\d+\\d+$', `${'1'.repeat(5000)}x`],
];

// Expressions with unexpected cost, or that only resemble an expensive one.
const heavy: readonly (readonly [expression: string, line: string])[] = [
  ['(a*)*b', 'a'.repeat(30)],
  ['(?=(a+))\\1{2,}b', 'a'.repeat(40)],
  ['\\s+$', `x${' '.repeat(50_000)}x`],
  ['^\\s+|\\s+$', `x${' '.repeat(50_000)}x`],
  ['.*.*=.*', 'x'.repeat(20_000)],
  ['(a{0,1000}){0,1000}', 'a'.repeat(5)],
  ['a{99999}{99999}', 'a'],
  ['(?:a?){50}a{50}', 'a'.repeat(50)],
  ['(?<!a*)b', 'b'.repeat(20_000)],
  ['[\\w-]+\\.[\\w-]+\\.[\\w-]+$', `${'a.'.repeat(10_000)}!`],
  ['^(?:[a-z0-9-]+\\.)+com$', `${'a.'.repeat(20_000)}!`],
  ['(?:(?:(?:a{1,100}){1,100}){1,100}){1,100}', 'a'],
  [`${'('.repeat(500)}a${')'.repeat(500)}`, 'a'],
  [`(?:${'a|'.repeat(400)}b)*c`, 'a'.repeat(1000)],
];

// Without a time limit these expressions would never end.
const PATIENT = { timeout: 300_000 };

const levels = {
  'of the source': (pattern: string, list: string) => broughtAlong(list, { exclusions: [pattern] }),
  'of the whole': (pattern: string, list: string) => {
    const { configuration, preFetchedContent } = broughtAlong(list);
    return { configuration: { ...configuration, inclusions: ['/example/', pattern] }, preFetchedContent };
  },
};

test('runaway regular expressions end in an error and delay no other request', PATIENT, async () => {
  let isOver = false;
  let served = 0;
  const bystander = async (): Promise<void> => {
    for (let at = 0; !isOver; at++) {
      assert.equal((await ask(service, '/compile', configurationOf(`||b${at}^`), { from: '127.0.0.2' })).status, 200);
      served++;
    }
  };
  const standingBy = bystander();
  const cases = Object.values(levels).flatMap((orderFor) =>
    [...runaways, ...heavy].map((one) => [orderFor, one] as const),
  );
  const tried = forEachLimit(WORKERS, cases, async ([orderFor, [expression, line]]) => {
    const order = orderFor(`/${expression}/`, `||a.example^\n${line}\n||b.example^`);
    const { status, json } = await ask(service, '/compile', order);
    const what = `${expression.slice(0, 60)}: ${json.error}`;
    if (runaways.some(([one]) => one === expression)) assert.deepEqual([status, json.error], [400, tooSlow], what);
    else assert.ok(status === 200 || status === 400, what);
  });
  await tried.finally(() => {
    isOver = true;
  });
  await standingBy;
  assert.ok(served > 20, `${served}`);
});

test('expressions from pattern files have the same time limit', PATIENT, async () => {
  const order = {
    configuration: { name: 'n', sources: [{ source: 'list' }], exclusions_sources: ['patterns'] },
    preFetchedContent: { list: `${'a'.repeat(60)}!`, patterns: '/^(a+)+$/' },
  };
  assert.equal((await ask(service, '/compile', order)).status, 400);
});

test('an invalid expression is rejected with its path', async () => {
  const broken = ['(', '[z-a]', '(?i)x', 'a**', '(?<n>a)\\k<m>', '*', '\\', 'a{2,1}', '(?<n>a)(?<n>b)', '['];
  for (const expression of broken) {
    for (const member of ['exclusions', 'inclusions']) {
      const patterns = ['good', 'g*od', `/${expression}/`];
      const top = await ask(service, '/compile', configurationOf('||a^', { [member]: patterns }));
      assert.deepEqual(
        [top.status, top.json.details?.map(({ path }) => path)],
        [400, [`configuration.${member}[2]`]],
        expression,
      );
      const inSource = await ask(service, '/compile', broughtAlong('||a^', { [member]: patterns }));
      const place = `configuration.sources[0].${member}[2]`;
      assert.deepEqual([inSource.status, inSource.json.details?.map(({ path }) => path)], [400, [place]], expression);
    }
  }
});

test('an invalid regular expression in a pattern file is a 400', async () => {
  const order = {
    configuration: { name: 'n', sources: [{ source: 'list' }], exclusions_sources: ['patterns'] },
    preFetchedContent: { list: '||a^', patterns: 'good\n/(/' },
  };
  const { status, json } = await ask(service, '/compile', order);
  assert.ok(status === 400 || (status === 500 && json.error !== 'The compilation failed'), `${status} ${json.error}`);
});

test('fifty asterisks are matched as one is', PATIENT, async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `||${'a'.repeat(60)}${at}.example^`);
  const list = [...lines, `${'ab'.repeat(50)}c`].join('\n');
  const patterns = [`${'a*'.repeat(50)}b`, `${'*a'.repeat(50)}*!`, `${'*'.repeat(50)}z`, `${'a*b*'.repeat(50)}c`];
  const { status, json } = await ask(service, '/compile', broughtAlong(list, { exclusions: patterns }));
  assert.equal(status, 200);
  assert.equal(rulesIn({ json }).length, lines.length);
});

test('a pattern of two slashes is text, and matches no line without it', async () => {
  const order = broughtAlong('||a.example^\nhttp://b.example/', { exclusions: ['//'] });
  assert.deepEqual(rulesIn(await ask(service, '/compile', order)), ['||a.example^']);
});
