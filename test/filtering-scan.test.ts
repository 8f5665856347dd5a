import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecider } from '../src/engine/match/decide.ts';
import { ruleText } from '../src/engine/rule-text.ts';
import type { Verdict } from '../src/engine/verdict.ts';
import { nameText } from '../src/kit/wire-name.ts';
import { nameOf, profileFromText, readLine, secret } from './support/engine/lists.ts';
import { type PlainProfile, type PlainVerdict, readPlainly, scan } from './support/engine/plain-scan.ts';
import { readRealLists } from './support/filtering-lists.ts';

type Line = PlainProfile['lines'][number];

const A = 1;
// A sample of names is enough for browser lists, because every name must be tried with thousands of patterns.
const MANY_LOOSE = 1000;
const EVERY = 50;

const decider = createDecider(secret);

test('on whole lists and 100,000 names the tables decide as a plain scan does', { timeout: 900_000 }, () => {
  const { lists, names, origin } = readRealLists();
  assert.ok(lists.length > 0 && names.length > 90_000, origin);
  for (const list of lists) {
    const sources = [{ source: 'filter lists', lists: [list] }] as const;
    const profile = profileFromText(sources);
    const { candidatesFor, loose } = plainly(readPlainly(sources));
    for (const [nth, name] of names.entries()) {
      if (loose > MANY_LOOSE && nth % EVERY !== 0) continue;
      const query = { name: nameOf(name), at: 0, type: A };
      assert.deepEqual(told(decider.decide(query, profile)), scan(candidatesFor(name), query), `${list.id}: ${name}`);
    }
  }
});

/** Excludes rules for other names from the scan, which would take days with a million rules. */
function plainly({ lines, switchedOff }: PlainProfile) {
  const named = Map.groupBy(lines, ({ rule: { pattern } }) => ('name' in pattern ? pattern.name : ''));
  const loose = named.get('') ?? [];
  const places = new Map(lines.map((line, index) => [line, index]));
  const candidatesFor = (name: string): PlainProfile => {
    const labels = name.split('.');
    const found: readonly Line[] = labels.flatMap((_, nth) => named.get(labels.slice(nth).join('.')) ?? []);
    const inOrder = [...found, ...loose].sort((one, other) => places.get(one)! - places.get(other)!);
    return { lines: inOrder, switchedOff };
  };
  return { candidatesFor, loose: loose.length };
}

/** The verdict with the rule text of the scan: a hosts line is reduced to the name that matched. */
function told(verdict: Verdict): PlainVerdict {
  const { kind, source, list, rewrite, by } = verdict;
  if (kind === 'pass') return { kind };
  const text = ruleText(verdict, readLine)!;
  const address = by.complex ? undefined : /^([0-9a-f.:]+)\s/.exec(text)?.[1];
  const itsText = address === undefined ? text : `${address} ${nameText(by.name, by.nameAt).toLowerCase()}`;
  return { kind, source: source!, list: list!.id, text: itsText, ...(rewrite && { rewrite }) };
}
