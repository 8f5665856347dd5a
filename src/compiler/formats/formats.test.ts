import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toFile } from '../compiled-list.ts';
import { readLines } from '../lines/read-lines.ts';
import { createWorkspace } from '../lines/workspace.ts';
import type { FormatName } from './format-names.ts';
import { writeFormat } from './write-format.ts';

// Minimal models of the programs that read these files; they must block what the list blocks.

type Rule = { readonly text: string; readonly rank: number; readonly matches: (name: string) => boolean };
type Blocks = (name: string) => boolean;
type Decide = (name: string) => 'block' | 'rewrite' | 'pass';

const isUnder = (name: string, parent: string): boolean => name.endsWith(`.${parent}`);
const shapes: Readonly<Record<string, (name: string, of: string) => boolean>> = {
  '||NAME^': (name, of) => name === of || isUnder(name, of),
  '|NAME^': (name, of) => name === of,
  '*.NAME^': isUnder,
};

const REWRITE_RANK = 9;
const ADDRESS = '192.0.2.1';

const listDecides =
  (rules: readonly Rule[]): Decide =>
  (name) => {
    const rank = Math.max(0, ...rules.filter(({ matches }) => matches(name)).map((rule) => rule.rank));
    if (rank === REWRITE_RANK) return 'rewrite';
    return rank % 2 === 1 ? 'block' : 'pass';
  };

const listBlocks =
  (rules: readonly Rule[]): Blocks =>
  (name) =>
    listDecides(rules)(name) === 'block';

/** Verdict of a line that answers with an address, or of another one. */
const verdictOf = (line: string | undefined, blocks: (line: string) => boolean): ReturnType<Decide> => {
  if (line?.includes(ADDRESS)) return 'rewrite';
  return line !== undefined && blocks(line) ? 'block' : 'pass';
};

const parents = (name: string): string[] =>
  name.includes('.') ? [name, ...parents(name.slice(name.indexOf('.') + 1))] : [name];

const programs: Readonly<Record<'dnsmasq' | 'unbound' | 'rpz', (lines: readonly string[]) => Decide>> = {
  /** The longest match decides; `*.name` is longer than `name`. */
  dnsmasq: (lines) => {
    const byName = new Map(lines.map((line) => [line.split('/')[1]!, line]));
    return (name) => {
      const matches = parents(name).flatMap((parent) => (parent === name ? [parent] : [`*.${parent}`, parent]));
      const found = byName.get(matches.find((match) => byName.has(match)) ?? '');
      return verdictOf(found, (line) => line.startsWith('local='));
    };
  },
  /** The nearest zone decides; in a transparent or static one, or without a zone, data answers for its name. */
  unbound: (lines) => {
    const quoted = (kind: string): [string, string][] =>
      lines
        .filter((line) => line.startsWith(kind))
        .map((line) => [line.split('"')[1]!.split('. ')[0]!.replace(/\.$/, ''), line]);
    const zones = new Map(quoted('local-zone'));
    const data = new Map(quoted('local-data'));
    return (name) => {
      const zone = parents(name).find((parent) => zones.has(parent)) ?? '';
      const kind = zones.get(zone)?.split(' ').at(-1);
      if (kind === 'always_nxdomain') return 'block';
      const found = data.get(kind === 'redirect' ? zone : name);
      return found === undefined && kind === 'static' ? 'block' : verdictOf(found, () => true);
    };
  },
  /** RFC 4592: a wildcard answers for a name that does not exist, directly under the nearest parent that does. */
  rpz: (lines) => {
    const owners = new Map(lines.map((line) => [line.split(' ')[0]!, line]));
    const existing = new Set([...owners.keys()].flatMap((owner) => parents(owner)));
    const blocks = (line: string): boolean => line.endsWith('CNAME .');
    return (name) => {
      if (existing.has(name)) return verdictOf(owners.get(name), blocks);
      return verdictOf(owners.get(`*.${parents(name).find((parent) => existing.has(parent))}`), blocks);
    };
  },
};

const label = fc.constantFrom('a', 'b');
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => [...labels, 'com'].join('.'));
const rule = fc
  .record({ of: name, allow: fc.boolean(), important: fc.boolean(), shape: fc.constantFrom(...Object.keys(shapes)) })
  .map(({ of, allow, important, shape }): Rule => {
    const text = `${allow ? '@@' : ''}${shape.replace('NAME', of)}${important ? '$important' : ''}`;
    return { text, rank: (allow ? 2 : 1) + (important ? 2 : 0), matches: (asked) => shapes[shape]!(asked, of) };
  });

const rewrite = fc.record({ of: name, shape: fc.constantFrom(...Object.keys(shapes)) }).map(({ of, shape }): Rule => {
  const text = `${shape.replace('NAME', of)}$dnsrewrite=${ADDRESS}`;
  return { text, rank: REWRITE_RANK, matches: (asked) => shapes[shape]!(asked, of) };
});
const anyRule = fc.oneof({ weight: 6, arbitrary: rule }, { weight: 1, arbitrary: rewrite });

function write(rules: readonly Rule[], format: FormatName): { lines: string[]; isComplete: boolean } {
  const lines = readLines(createWorkspace(), new TextEncoder().encode(rules.map(({ text }) => text).join('\n')), 0);
  const { bytes, unsupported } = writeFormat({ header: [], lines, bytes: toFile([], lines) }, format);
  const said = Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter((line) => !/^(?:[#;@$]|server:|$)/.test(line));
  return { lines: said, isComplete: unsupported.length === 0 };
}

for (const [format, readBy] of Object.entries(programs) as [
  'dnsmasq' | 'unbound' | 'rpz',
  (typeof programs)['rpz'],
][]) {
  test(`${format} blocks what the list blocks, rewrites what it rewrites, and nothing else`, () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { minLength: 1, maxLength: 8 }),
        fc.array(name, { minLength: 20 }),
        (rules, asked) => {
          const { lines, isComplete } = write(rules, format);
          fc.pre(isComplete);
          const expected = listDecides(rules);
          const decide = readBy(lines);
          for (const one of asked) assert.equal(decide(one), expected(one), `${one}\n${lines.join('\n')}`);
        },
      ),
      { numRuns: 500 },
    );
  });
}

test('dnsmasq and policy zones can express a rule for every name', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 8 }), (rules) => {
      assert.ok(write(rules, 'dnsmasq').isComplete && write(rules, 'rpz').isComplete);
    }),
  );
});

test('a hosts file has the names that the list blocks, and never one that it allows', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 8 }), fc.array(name), (rules, asked) => {
      const blocks = listBlocks(rules);
      const lines = new Set(write(rules, 'domains').lines);
      const names = (text: string): string => text.replace(/^@*[|*.]+|\^.*$/g, '');
      for (const line of lines) assert.ok(blocks(line) && rules.some(({ text }) => names(text) === line), line);
      for (const one of asked.filter(blocks)) {
        const isNamed = rules.some(({ text }) => text.startsWith('|') && names(text) === one);
        if (isNamed) assert.ok(lines.has(one), one);
      }
    }),
    { numRuns: 500 },
  );
});
