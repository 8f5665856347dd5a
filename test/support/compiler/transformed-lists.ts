import fc from 'fast-check';
import { BLOCK } from '../../../src/compiler/lines/kernels.ts';

// Few labels, so that parents and duplicates occur.
const label = fc.constantFrom('a', 'b', 'ads', 'x-1', 'www', 'constructor', 'co');
const domain = fc.constantFrom('com', 'org', 'co.uk', 'uk', 'jp', 'city.kawasaki.jp', 'local', 'xn--p1ai');
const name = fc.tuple(fc.array(label, { maxLength: 3 }), domain).map(([labels, last]) => [...labels, last].join('.'));
const oddName = fc.oneof(
  fc.constantFrom(
    'Ads.com',
    'a_b.com',
    '-a.com',
    'a.com.',
    'com',
    'localhost',
    'пример.рф',
    '1.2.3.4',
    '256.1.1.1',
    '.com',
  ),
  name,
);

const shapes: readonly (readonly [weight: number, shape: (name: string, other: string) => string])[] = [
  [6, (a) => `||${a}^`],
  [3, (a) => a],
  [3, (a) => `0.0.0.0 ${a}`],
  [1, (a, b) => `127.0.0.1\t${a}  ${b} # ${a}`],
  [1, (a, b) => `::1 ${a} ${b}`],
  [1, (a) => `0.0.0.0 ${a}\u00a0${a}`],
  [1, () => '0.0.0.0  # no name'],
  [2, (a) => `@@||${a}^`],
  [1, (a) => `||${a}^$important`],
  [1, (a) => `||${a}^$third-party`],
  [1, (a) => `||${a}^$important,3p,doc`],
  [1, (a, b) => `||${a}^$denyallow=${b}`],
  [1, (a) => `||${a}^$script`],
  [1, (a) => `||${a}^$`],
  [1, (a) => ` ||${a}^\t`],
  [1, (a) => `||${a}`],
  [1, (a) => `*.${a}^`],
  [1, (a) => `||${a}^|`],
  [1, (a) => `/${a}$/`],
  [1, (a) => `${a}##.ad`],
  [1, (a) => `${a}$$div`],
  [4, (a) => `! ${a}`],
  [1, () => '# x'],
  [1, () => '####'],
  [1, () => '##.ad'],
  [3, () => ''],
  [1, () => ' \t'],
  [1, () => '@@'],
  [1, () => 'add x'],
];

/** Realistic lines, and some invalid ones. */
const line = fc
  .tuple(
    fc.oneof(...shapes.map(([weight, shape]) => ({ weight, arbitrary: fc.constant(shape) }))),
    fc.oneof({ weight: 4, arbitrary: name }, oddName),
    name,
  )
  .map(([shape, a, b]) => shape(a, b));

export const shortLists = fc.array(line, { maxLength: 30, size: 'max' });

/** Lists longer than a block. */
export const longLists = fc
  .tuple(
    fc.array(line, { minLength: 20, maxLength: 60, size: 'max' }),
    fc.integer({ min: BLOCK - 20, max: BLOCK + 900 }),
  )
  .map(([pattern, length]) => Array.from({ length }, (_, at) => spread(pattern[(at * 7) % pattern.length]!, at)));

/** Makes every third name unique, so that not all rules are duplicates. */
const spread = (text: string, at: number): string =>
  at % 3 === 0 ? text.replace(/[a-z]/, (letter) => `${letter}${at}`) : text;

export const isCommentText = (text: string): boolean => /^(?:!|# |#$|####)/.test(text);
