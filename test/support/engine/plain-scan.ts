import { hostsLineRule } from '../../../src/engine/build/hosts-line-rule.ts';
import { type AnswerLocation, whyNotApplied } from '../../../src/engine/match/conditions.ts';
import type { Query } from '../../../src/engine/match/decide.ts';
import type { SourceName } from '../../../src/engine/sources.ts';
import type { Rewritten } from '../../../src/engine/verdict.ts';
import { nameText } from '../../../src/kit/wire-name.ts';
import { matchPattern } from '../../../src/rules/matches-pattern.ts';
import { parseRule } from '../../../src/rules/parse-rule.ts';
import type { RecordValue, Rule } from '../../../src/rules/rule.ts';
import { ruleKey } from '../../../src/rules/rule-key.ts';

// Reference implementation: applies all rules one by one in the order of precedence. The tables, the fast decision and
// the explanation must give the same result.

export type PlainList = { readonly id: string; readonly text: string; readonly answering?: boolean };
export type PlainSource = { readonly source: SourceName; readonly lists: readonly PlainList[] };

export type PlainVerdict =
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'allow' | 'block' | 'rewrite';
      readonly source: SourceName;
      readonly list: string;
      readonly text: string;
      readonly rewrite?: Rewritten;
    };

type Line = {
  readonly source: SourceName;
  readonly list: string;
  readonly text: string;
  readonly rule: Rule;
  readonly key: string;
  readonly isHosts: boolean;
  readonly matches: (name: string) => boolean;
};

const pools: readonly (readonly SourceName[])[] = [
  ['user rules'],
  ['custom lists'],
  ['filter lists', 'blocked services'],
  ['dangerous domains'],
  ['adult'],
  ['filtering categories'],
  ['safe search'],
  ['youtube'],
  ['newly registered'],
  ['typosquatting'],
  ['homoglyph'],
];
const rulesOfPeople: readonly SourceName[] = ['user rules', 'custom lists'];
const rewriters: readonly SourceName[] = [...rulesOfPeople, 'safe search', 'youtube'];
const forAnswers: readonly SourceName[] = [...rulesOfPeople, 'filter lists', 'blocked services'];

export type PlainProfile = { readonly lines: readonly Line[]; readonly switchedOff: ReadonlySet<string> };

export function readPlainly(sources: readonly PlainSource[]): PlainProfile {
  const all = sources.flatMap(({ source, lists }) =>
    lists.map((list) => {
      const lines = list.text.split('\n').flatMap((text) => readLine(source, list, text));
      const off = new Set(lines.filter(({ rule }) => rule.badfilter).map(({ key }) => key));
      return { source, off, lines: lines.filter(({ rule, key }) => !rule.badfilter && !off.has(key)) };
    }),
  );
  const switchedOff = all.filter(({ source }) => source === 'user rules').flatMap(({ off }) => [...off]);
  return { lines: all.flatMap(({ lines }) => lines), switchedOff: new Set(switchedOff) };
}

function readLine(source: SourceName, { id, answering = false }: PlainList, text: string): readonly Line[] {
  const parsed = parseRule(text);
  const line = (rule: Rule, itsText: string, isHosts: boolean): Line => {
    const { pattern } = rule;
    return { source, list: id, text: itsText, rule, key: ruleKey(rule), isHosts, matches: matchPattern(pattern) };
  };
  if (parsed.kind === 'rule') return [line(parsed.rule, text.trim(), false)];
  if (parsed.kind !== 'hosts') return [];
  return parsed.names.map((name) =>
    line(hostsLineRule(parsed.address, name, answering), `${parsed.address} ${name}`, true),
  );
}

export function scan(
  { lines, switchedOff }: PlainProfile,
  query: Query,
  answer?: { location?: AnswerLocation; subject?: 'name' | 'address' },
): PlainVerdict {
  const name = nameText(query.name, query.at).toLowerCase();
  const { type, client } = query;
  const speaking = lines.filter(({ source, rule, key, isHosts, matches }) => {
    if (answer && (rule.rewrite || !forAnswers.includes(source))) return false;
    if ((rule.clients || rule.tags) && !rulesOfPeople.includes(source)) return false;
    if (rule.rewrite && !isHosts && !rewriters.includes(source)) return false;
    if ([...rulesOfPeople, 'filter lists'].includes(source) && switchedOff.has(key)) return false;
    if (!matches(name)) return false;
    return (
      whyNotApplied(
        rule,
        { subject: answer ? (answer.subject ?? 'name') : 'query', type, client, location: answer?.location },
        () => name,
      ) === undefined
    );
  });

  let allowed: PlainVerdict | undefined;
  for (const pool of pools) {
    const inPool = pool.flatMap((source) => speaking.filter((line) => line.source === source)).toSorted(compare);
    const rewriting = inPool.filter(({ rule, isHosts }) => rule.rewrite && !isHosts);
    const rewrite = rewriteOf(rewriting, name, type);
    if (rewrite) return rewrite;
    const winner = inPool.find(({ rule }) => !rule.rewrite);
    if (winner) {
      const verdict = tell(winner.rule.allow ? 'allow' : 'block', winner);
      if (!winner.rule.allow || rulesOfPeople.includes(winner.source)) return verdict;
      allowed ??= verdict;
      continue;
    }
    const hosts = inPool.filter(({ isHosts }) => isHosts);
    const line = hosts.find(({ rule }) => recordsOf(rule, type).length > 0) ?? hosts[0];
    if (line) return tell('rewrite', line, { kind: 'records', type, values: recordsOf(line.rule, type) });
  }
  return allowed ?? { kind: 'pass' };
}

const tell = (kind: 'allow' | 'block' | 'rewrite', line: Line, rewrite?: Rewritten): PlainVerdict => ({
  kind,
  source: line.source,
  list: line.list,
  text: line.text,
  ...(rewrite && { rewrite }),
});

const recordsOf = ({ rewrite }: Rule, type: number): readonly RecordValue[] =>
  rewrite?.kind === 'record' && rewrite.type === type ? [rewrite.value] : [];

function rewriteOf(rewriting: readonly Line[], name: string, type: number): PlainVerdict | undefined {
  const exceptions = rewriting.filter(({ rule }) => rule.allow);
  const left = rewriting.filter(
    ({ rule }) =>
      !rule.allow &&
      !exceptions.some((exception) => isSwitchedOff(rule, exception.rule)) &&
      !(rule.rewrite?.kind === 'cname' && rule.rewrite.target === name),
  );
  const cname = left.find(({ rule }) => rule.rewrite?.kind === 'cname');
  if (cname?.rule.rewrite?.kind === 'cname')
    return tell('rewrite', cname, { kind: 'cname', target: cname.rule.rewrite.target });
  const code = left.find(({ rule }) => rule.rewrite?.kind === 'code' && rule.rewrite.code !== 0);
  if (code?.rule.rewrite?.kind === 'code') return tell('rewrite', code, { kind: 'code', code: code.rule.rewrite.code });
  const record = left.find(({ rule }) => recordsOf(rule, type).length > 0) ?? left[0];
  const values = left.flatMap(({ rule }) => recordsOf(rule, type));
  return record && tell('rewrite', record, { kind: 'records', type, values });
}

function isSwitchedOff(rule: Rule, exception: Rule): boolean {
  if (rule.important && !exception.important) return false;
  if (exception.rewrite?.kind === 'any') return true;
  return JSON.stringify(plain(exception.rewrite)) === JSON.stringify(plain(rule.rewrite));
}

const plain = (rewrite: Rule['rewrite']): unknown =>
  rewrite?.kind === 'record' && rewrite.value.kind === 'address' ? [rewrite.type, ...rewrite.value.bytes] : rewrite;

function compare({ rule: one }: Line, { rule: other }: Line): number {
  const [these, those] = [criteria(one), criteria(other)];
  const nth = these.findIndex((value, index) => value !== those[index]);
  return nth === -1 ? 0 : those[nth]! - these[nth]!;
}

function criteria(rule: Rule): readonly number[] {
  const { pattern, important, allow } = rule;
  const limits = [rule.types, rule.rewrite, rule.clients, rule.tags, rule.denyallow, rule.locations];
  return [
    important && allow ? 3 : important ? 2 : allow ? 1 : 0,
    'name' in pattern ? pattern.name.split('.').length : 0,
    { exact: 3, subdomains: 2, domain: 1, wildcard: 0, expression: 0 }[pattern.kind],
    limits.filter((limit) => limit !== undefined).length,
  ];
}
