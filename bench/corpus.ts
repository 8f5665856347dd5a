import { createReadStream, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

export type Corpus = { readonly files: readonly string[]; readonly lines: number; readonly origin: string };

/** Writes lists of real or generated rules to files in a folder; `lines` is about their total length. */
export async function makeCorpus(folder: string, lines: number, lists: string | undefined): Promise<Corpus> {
  const found = lists !== undefined && existsSync(lists) ? await realLists(lists) : [];
  const available = found.reduce((sum, list) => sum + list.length, 0);
  if (available >= lines)
    return write(
      folder,
      found.map((list) => thinned(list, lines / available)),
      'real lists',
    );
  return write(folder, generatedLists(lines), 'generated lists');
}

function write(folder: string, lists: readonly (readonly string[])[], origin: string): Corpus {
  const files = lists.map((_, at) => join(folder, `list-${at}.txt`));
  for (const [at, list] of lists.entries()) writeFileSync(files[at]!, `${list.join('\n')}\n`, 'latin1');
  return { files, lines: lists.reduce((sum, list) => sum + list.length, 0), origin };
}

async function realLists(folder: string): Promise<string[][]> {
  const names = readdirSync(folder).filter((name) =>
    /(\.hosts|\.adblock\.txt|\.domains\.txt|easylist.*\.txt)\.gz$/.test(name),
  );
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await buffer(createReadStream(join(folder, name)).pipe(createGunzip()));
      return text.toString('latin1').trimEnd().split('\n');
    }),
  );
}

/** Every n-th line, so that the mix of rules stays the same. */
function thinned(list: readonly string[], share: number): string[] {
  if (share >= 1) return [...list];
  return list.filter((_, at) => Math.floor((at + 1) * share) > Math.floor(at * share));
}

const LISTS = 12;
const syllables = [
  'ad',
  'track',
  'stat',
  'cdn',
  'pix',
  'met',
  'ric',
  'an',
  'al',
  'yt',
  'ix',
  'ban',
  'ner',
  'click',
  'lo',
  'gi',
  'mo',
  'ba',
  'zu',
  'ra',
  'ke',
  'net',
  'web',
  'top',
];
const domains = [
  'com',
  'com',
  'com',
  'com',
  'net',
  'net',
  'org',
  'info',
  'it',
  'ru',
  'de',
  'co.uk',
  'com.br',
  'xyz',
  'io',
  'top',
];

/** A third each of hosts, adblock and plain domains, with the repeats and subdomains of real lists. */
function generatedLists(lines: number): string[][] {
  const random = generator(1);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const word = (): string => Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(syllables)).join('');
  const generated: string[] = [];
  const name = (): string => {
    const chance = random();
    if (generated.length > 100 && chance < 0.25) return pick(generated);
    const fresh =
      generated.length > 100 && chance < 0.45
        ? `${word()}.${pick(generated)}`
        : `${word()}${Math.floor(random() * 1000)}.${pick(domains)}`;
    generated.push(fresh);
    return fresh;
  };
  const styles = [
    () => `0.0.0.0 ${name()}`,
    () => name(),
    () =>
      random() < 0.93
        ? `||${name()}^`
        : `${pick(['||', '@@||'])}${name()}^$${pick(['third-party', 'important', 'script', 'popup,third-party'])}`,
  ];
  return Array.from({ length: LISTS }, (_, at) =>
    Array.from({ length: Math.floor(lines / LISTS) }, (_, line) =>
      line % 300 === 0 ? `# part ${line}` : styles[at % styles.length]!(),
    ),
  );
}

/** The same numbers in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
