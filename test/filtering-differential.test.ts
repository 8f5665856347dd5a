import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { independentEngine } from '../bench/independent.ts';
import { createDecider } from '../src/engine/match/decide.ts';
import { nameOf, profileOf, secret } from './support/engine/lists.ts';
import { codesIn, tableRows } from './support/filtering-docs.ts';
import { readRealLists } from './support/filtering-lists.ts';

// Compares two independent engines for the same language. Where they differ on purpose,
// docs/filtering.md says so; on everything else they must agree.

const skip =
  process.env['WEIR_DIFFERENTIAL'] === undefined &&
  'it installs a GPL engine from npm to compare with: set WEIR_DIFFERENTIAL=1';

/** How to recognise the rules of each row of the table of differences, by the first rule in it. */
const differences: Readonly<Record<string, RegExp>> = {
  '||example.org|': /^(?:@@)?[^/$]*\|(?:\$|$)/,
  '/a(?=ds)/': /^(?:@@)?\/.*\(\?[=!<]/,
  '0.0.0.0 localhost': /^[\da-f.:]+(?:%\w+)?\s+(?:local|ip6-|broadcasthost|0\.0\.0\.0)/i,
  '||example.org^$dnstype=A': /\$(?:.*,)?dnstype=/,
  '||example.org^$dnsrewrite=192.0.2.1': /\$(?:.*,)?dnsrewrite/,
  '||example.org^$document': /\$(?:.*,)?~?(?:document|doc)(?:,|$)/,
  '||example.org^$app=com.example': /\$(?:.*,)?app=/,
  'http://example.org^': /^(?:@@)?\|?(?:https?|wss?|ftp):/,
  '||bücher.example^': /[^\0-\x7f]/,
  '||EXAMPLE.org^': /^[^$]*[A-Z]/,
  '@@example.org': /^@@[\w.-]+$/,
  'www.example.org': /^[\w.-]+$/,
  '||example.org.^': /\.(?:\^\|?|\|)?(?:\$|$)/,
  '||example.org^$': /\$$/,
  '||example.org^$~important': /~important/,
  '||example.org^$client=~phone': /\$(?:.*,)?client=.*~/,
  '||example.org^$~object': /\$(?:.*,)?~(?!important)[a-z]/,
  '/adserver-': /^(?:@@)?\/.*[^/](?:\$|$)/,
  ads: /^(?:@@)?[^/|$*]{1,3}(?:\$|$)/,
  '/ads\\.example$/': /^(?:@@)?\/.*\$.*\/$/,
  '/^ads?[.]/': /^(?:@@)?\/.*[a-z)\]][?*{]/,
};
const isReadDifferently = (line: string): boolean => Object.values(differences).some((kind) => kind.test(line));

/** Such names are valid in DNS; theirs supports host names only. */
const isOddName = (name: string): boolean => /(?:^|\.)[_-]|[_-](?:\.|$)/.test(name);

/** A plain name in the form in which theirs has our meaning; whole lists consist of them. */
const inTheirWords = (line: string): string => line.trim().replace(/^(@@)?([\w-]+(?:\.[\w-]+)+)$/, '$1|$2^');

const decider = createDecider(secret);

/** The differences between both. Rules that are parsed differently are removed first. */
async function disagreements(text: string, names: readonly string[]): Promise<readonly string[]> {
  const left = text
    .split('\n')
    .map(inTheirWords)
    .filter((line) => !isReadDifferently(line))
    .join('\n');
  const match = await independentEngine([left]);
  const profile = profileOf({ 'user rules': left });
  return names
    .filter((name) => !isOddName(name))
    .flatMap((name) => {
      const ours = decider.decide({ name: nameOf(name), at: 0, type: 1 }, profile).kind;
      const theirs = match(name);
      return ours === (theirs?.kind ?? 'pass')
        ? []
        : [`${name}: ${ours}, not ${theirs?.kind ?? 'pass'} by ${theirs?.text}`];
    });
}

test('each difference is as documented in docs/filtering.md', { skip }, async () => {
  const rows = tableRows('rules', 'name', 'Weir', 'tsurlfilter');
  assert.deepEqual(
    rows.map(([rules = '']) => codesIn(rules)[0]),
    [...Object.keys(differences), '||example.org^'],
  );
  for (const [rules = '', name = '', ours, theirs] of rows) {
    const lines = codesIn(rules);
    assert.ok(differences[lines[0]!]?.test(lines[0]!) ?? isOddName(codesIn(name)[0]!), rules);
    const match = await independentEngine([lines.join('\n')]);
    const query = { name: nameOf(toAscii(codesIn(name)[0]!)), at: 0, type: 1 };
    assert.equal(decider.decide(query, profileOf({ 'user rules': lines.join('\n') })).kind, ours, rules);
    assert.equal(match(codesIn(name)[0]!)?.kind ?? 'pass', theirs, rules);
  }
});

const toAscii = (name: string): string => new URL(`http://${name}`).hostname;

const someLabel = fc.constantFrom('a', 'b', 'ads', 'ad', 'track1', 'x-y', 'www', 'a_b');
const someName = fc
  .tuple(fc.array(someLabel, { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'org', 'co.uk'))
  .map(([labels, end]) => [...labels, end].join('.'));
const somePattern = fc.oneof(
  { weight: 4, arbitrary: someName.map((name) => `||${name}^`) },
  someName.map((name) => `|${name}^`),
  someName.map((name) => `||*.${name}^`),
  someName.map((name) => `||${name}`),
  someName.map((name) => `${name}^`),
  someName.map((name) => `.${name}^`),
  fc.tuple(someLabel, someLabel).map(([one, other]) => `||${one}*${other}.com^`),
  fc.constantFrom('||ads*', 'track1', '-y.', '*ads*.org^', '/^ads?[.]/', '/track[0-9]+/', '/^(a|b)\\.[a-z]+\\.com$/'),
);
const someModifiers = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  fc.constant('$important'),
  fc.constant('$badfilter'),
  fc.constant('$important,badfilter'),
  fc.constantFrom('$third-party', '$script', '$image,domain=a.com', '$client=phone', '$ctag=device_phone'),
  someName.map((name) => `$denyallow=${name}`),
);
const someRule = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom('', '', '@@'), somePattern, someModifiers).map((parts) => parts.join('')),
  },
  someName,
  fc.tuple(fc.constantFrom('0.0.0.0', '127.0.0.1', '::1'), someName).map((parts) => parts.join(' ')),
  fc.constantFrom('! a comment', '# another', '', '||a.com/path', 'a.com##.ad'),
);

test('on generated rules and names two engines agree', { skip }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someRule, { minLength: 1, maxLength: 8 }),
      fc.array(someName, { minLength: 20, maxLength: 20 }),
      async (rules, names) => assert.deepEqual(await disagreements(rules.join('\n'), names), []),
    ),
    { numRuns: 2000 },
  );
});

test('on lists and popular names two engines agree', { skip, timeout: 3_600_000 }, async () => {
  const { lists, names, origin } = readRealLists();
  assert.ok(lists.length > 0 && names.length > 0, origin);
  for (const { id, text } of lists) {
    const ownNames = text.match(/(?<=^(?:\|\||[\d.]+ )?)[a-z0-9-]+(?:\.[a-z0-9-]+)+(?=\^?$)/gm) ?? [];
    const step = Math.max(1, Math.floor(ownNames.length / 5000));
    const asked = [...names, ...ownNames.filter((_, nth) => nth % step === 0).flatMap((name) => [name, `sub.${name}`])];
    assert.deepEqual((await disagreements(text, asked)).slice(0, 20), [], id);
  }
});
