import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { makeCorpus } from './corpus.ts';

/** Files with lists of the sizes in the bars, and with names to query. */
export type EngineLists = {
  readonly origin: string;
  /** All names of the lists in one compiled list. */
  readonly whole: string;
  readonly one: string;
  /** Five lists in their published formats, with the duplicates between them. */
  readonly five: readonly string[];
  /** Names that rules of `one` match, and popular names that no list contains; one per line. */
  readonly hits: string;
  readonly misses: string;
  /** Both, Zipf-distributed. */
  readonly asked: string;
};

const ONE_RULES = 770_000;
const FIVE_RULES = 1_000_000;
const WHOLE_RULES = 1_050_000;
const GENERATED_LINES = 2_000_000;
const NAMES = 100_000;
const ASKED = 500_000;
/** One of this many queries is for a name in a list. */
const HIT_ONE_OF = 6;

type Lines = readonly string[];

export async function makeEngineLists(folder: string, lists: string | undefined): Promise<EngineLists> {
  const real = lists !== undefined && existsSync(lists) ? readLists(lists) : [];
  const texts = real.length > 0 ? real : await generated(folder);
  const names = [...new Set(texts.flatMap((lines) => lines.flatMap(bareName)))];
  const complex = texts.flat().filter((line) => /[$*/]/.test(line) && !/^[!#]/.test(line));
  const write = (name: string, lines: Lines): string => {
    const file = join(folder, name);
    writeFileSync(file, `${lines.join('\n')}\n`, 'latin1');
    return file;
  };
  const inOne = thinned(names, ONE_RULES);
  const listed = new Set(names);
  const popular = real.length > 0 ? readPopular(lists!) : strangers(names);
  const hits = shuffled(thinned(inOne, NAMES)).map(underEverySecond);
  const misses = popular.filter((name) => !isUnder(name, listed)).slice(0, NAMES);
  return {
    origin: real.length > 0 ? 'real lists' : 'generated lists',
    whole: write('whole.txt', [...thinned(names, WHOLE_RULES).map(asRule), ...complex]),
    one: write('one.txt', [...inOne.map(asRule), ...complex]),
    five: grouped(texts).map((lines, nth) => write(`five-${nth}.txt`, lines)),
    hits: write('hits.txt', hits),
    misses: write('misses.txt', shuffled(misses)),
    asked: write('asked.txt', asPeopleAsk(misses, hits)),
  };
}

// Omits lists for browsers, because hardly any of their rules apply to DNS.
const readLists = (folder: string): Lines[] =>
  readdirSync(folder)
    .filter((name) => /(\.hosts|\.adblock\.txt|\.domains\.txt)\.gz$/.test(name))
    .sort()
    .map((name) => unpacked(join(folder, name)));

const readPopular = (folder: string): Lines =>
  readdirSync(folder)
    .filter((name) => /top.*\.txt\.gz$/.test(name))
    .flatMap((name) => unpacked(join(folder, name)))
    .filter((name) => /^[a-z0-9_.-]+$/.test(name));

const unpacked = (file: string): Lines => gunzipSync(readFileSync(file)).toString('latin1').split(/\r?\n/);

async function generated(folder: string): Promise<Lines[]> {
  const { files } = await makeCorpus(folder, GENERATED_LINES, undefined);
  return files.map((file) => readFileSync(file, 'latin1').split('\n'));
}

const asRule = (name: string): string => `||${name}^`;

function bareName(line: string): readonly string[] {
  const name = /^(?:\|\||0\.0\.0\.0 |127\.0\.0\.1 )?([\w-]+(?:\.[\w-]+)+)\^?$/.exec(line)?.[1];
  return name === undefined ? [] : [name];
}

/** A hosts file, a list of domains and three lists of rules, reduced to the wanted total. */
function grouped(texts: readonly Lines[]): readonly Lines[] {
  const groups: string[][] = [[], [], [], [], []];
  let rules = 0;
  for (const lines of texts) {
    const typical = lines[Math.floor(lines.length / 2)] ?? '';
    const group = /^\d/.test(typical) ? 0 : /^\w/.test(typical) ? 1 : 2 + (rules++ % 3);
    for (const line of lines) groups[group]!.push(line);
  }
  const share = FIVE_RULES / groups.reduce((sum, lines) => sum + lines.length, 0);
  return groups.map((lines) => thinned(lines, Math.round(lines.length * share)));
}

/** Every n-th entry, so that the mix of rules stays the same. */
function thinned(lines: Lines, count: number): Lines {
  const share = count / lines.length;
  return share >= 1 ? lines : lines.filter((_, at) => Math.floor((at + 1) * share) > Math.floor(at * share));
}

const underEverySecond = (name: string, nth: number): string => (nth % 2 === 0 ? name : `www.${name}`);
const strangers = (names: Lines): Lines => thinned(names, NAMES).map((name) => name.replace(/[^.]+$/, 'example'));

function isUnder(name: string, listed: ReadonlySet<string>): boolean {
  if (listed.has(name)) return true;
  const dot = name.indexOf('.');
  return dot !== -1 && isUnder(name.slice(dot + 1), listed);
}

/** A random order that is the same in every run, so that CPU caches do not help. */
function shuffled(names: Lines): Lines {
  const mixed = [...names];
  const random = dice();
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}

/** Zipf's law: the n-th name is queried 1/n as often as the first. */
function asPeopleAsk(popular: Lines, hits: Lines): Lines {
  const ranked = popular.flatMap((name, rank) =>
    (rank + 1) % (HIT_ONE_OF - 1) === 0 ? [name, hits[rank % hits.length]!] : [name],
  );
  const random = dice();
  return Array.from({ length: ASKED }, () => ranked[Math.floor(ranked.length ** random()) - 1]!);
}

function dice(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
