import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Lists of rules and popular names: from the folder in WEIR_TEST_LISTS, or generated ones. */
export type RealLists = {
  readonly origin: string;
  readonly lists: readonly { readonly id: string; readonly text: string }[];
  readonly names: readonly string[];
};

const NAMES = 100_000;

export function readRealLists(): RealLists {
  const folder = process.env['WEIR_TEST_LISTS'];
  return folder === undefined ? generated() : fromFolder(folder);
}

function fromFolder(folder: string): RealLists {
  const files = readdirSync(folder).sort();
  const read = (name: string): string => gunzipSync(readFileSync(join(folder, name))).toString('utf8');
  const names = files.filter((name) => /top.*\.txt\.gz$/.test(name)).flatMap((name) => read(name).split(/\r?\n/));
  return {
    origin: folder,
    lists: files
      .filter((name) => /(\.hosts|\.adblock\.txt|\.domains\.txt|easylist.*\.txt)\.gz$/.test(name))
      .map((id) => ({ id, text: read(id) })),
    names: [...new Set(names)].filter((name) => /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name)).slice(0, NAMES),
  };
}

const words = [
  'ad',
  'ads',
  'track',
  'stat',
  'cdn',
  'pixel',
  'metric',
  'shop',
  'news',
  'mail',
  'www',
  'img',
  'api',
  'x',
];
const ends = ['com', 'net', 'org', 'co.uk', 'io', 'example'];

/** Names from few words, so that many of them, or their parents, are in a list. */
function generated(): RealLists {
  const random = generator(5);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const name = (): string =>
    [
      ...Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words) + Math.floor(random() * 40)),
      pick(ends),
    ].join('.');
  const styles: readonly (() => string)[] = [
    () => `||${name()}^`,
    () => `0.0.0.0 ${name()}`,
    () => name(),
    () => `@@||${name()}^`,
    () => pick([`||${name()}^$important`, `||${name()}^$dnstype=A`, `||*.${name()}^`, `|${name()}^`]),
    () => pick([`||${pick(words)}${Math.floor(random() * 40)}*.com^`, `/^${pick(words)}[0-9]+\\./`, '! a comment']),
  ];
  const lists = Array.from({ length: 4 }, (_, nth) => ({
    id: `generated ${nth}`,
    text: Array.from({ length: 5000 }, (_, line) =>
      styles[line % 500 === 0 ? 5 : line % 20 === 0 ? 4 : nth % 4]!(),
    ).join('\n'),
  }));
  return { origin: 'generated lists', lists, names: Array.from({ length: NAMES }, name) };
}

/** The same numbers in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
