import { styleText } from 'node:util';
import type { FilesExplanation } from '../resolver/explain/explain-files.ts';
import { type Flags, flagsHelp, parseFlags, unknownFlag } from './flags.ts';
import { messageOf } from './message-of.ts';
import { count, plural, shorten } from './number-text.ts';

const flags = {
  type: { short: 't', value: 'TYPE', help: 'record type: A (default), AAAA, HTTPS, …' },
  list: { short: 'l', value: 'FILE…', many: true, help: 'filter lists: rules, hosts files or domains' },
  rules: { short: 'r', value: 'FILE…', many: true, help: 'user rules; they take precedence over lists' },
  answering: { value: 'FILE…', many: true, help: 'hosts files whose addresses are returned instead of blocked' },
  client: { short: 'c', value: 'NAME…', many: true, help: 'client name, address or both, for $client' },
  answer: { value: 'TARGET…', many: true, help: 'names and addresses in the answer, which are filtered too' },
  tag: { value: 'TAG…', many: true, help: 'client tags, for $ctag' },
  json: { help: 'print the result as JSON' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Flags;

const usage = `Usage: weir query NAME [TYPE] --list FILE… --rules FILE… [FLAGS]
       weir query @SERVER[:PORT] NAME [TYPE]

Shows how a query is answered, and why: the rule that decides, and all other
matching rules in order of precedence. Rules are read from files: filter lists
and user rules. With @SERVER, a DNS server is queried
instead. docs/filtering.md describes rules and their precedence.

${flagsHelp(flags)}

Examples:
  weir query ads.example.org --list blocklist.txt
  weir query www.example.org --list a.txt b.txt --rules mine.txt --client phone
  weir query nas.example.org AAAA --answering /etc/hosts
  weir query bücher.example --rules mine.txt --json
  weir query @127.0.0.1:53 www.example.org`;

/** Arguments before the first flag are the query; a flag may take all following words. */
export async function run(words: readonly string[]): Promise<number> {
  const firstFlag = words.findIndex((word) => word.startsWith('-'));
  const positional = firstFlag === -1 ? words : words.slice(0, firstFlag);
  const parsed = parseFlags(words.slice(positional.length), flags);
  try {
    if (!parsed.ok) throw new Error(parsed.error);
    const { given, unknown } = parsed.value;
    if (given.has('help')) {
      console.log(usage);
      return 0;
    }
    if (positional.length === 0)
      throw new Error(
        `missing domain name: weir query NAME ${words.length > 0 ? '[FLAGS] ' : ''}(see weir query --help)`,
      );
    for (const name of unknown) console.error(`weir: ${unknownFlag(name, flags)}`);
    const all = (name: keyof typeof flags): readonly string[] => given.get(name) ?? [];
    if (positional[0]!.startsWith('@')) {
      const { askServer } = await import('./ask-server.ts');
      return await askServer(positional, all('type')[0], given.has('json'));
    }
    const [name = '', type, ...others] = positional;
    if (others.length > 0) throw new Error(`unexpected argument "${others[0]}"`);
    if (type !== undefined && given.has('type'))
      throw new Error(`give either "${type}" or --type ${all('type')[0]}, not both`);
    if (all('list').length + all('rules').length + all('answering').length === 0)
      throw new Error('missing rules: add --list FILE or --rules FILE (see weir query --help)');
    const { explainFiles } = await import('../resolver/explain/explain-files.ts');
    const explained = await explainFiles({
      name,
      type: type ?? all('type')[0] ?? 'A',
      lists: all('list'),
      answering: all('answering'),
      rules: all('rules'),
      clients: all('client'),
      answer: all('answer'),
      tags: all('tag'),
    });
    if (!explained.ok) throw new Error(explained.error);
    console.log(given.has('json') ? JSON.stringify(explained.value, undefined, 2) : formatExplanation(explained.value));
    return 0;
  } catch (error) {
    console.error(`weir: ${messageOf(error)}`);
    return 1;
  }
}

const SHOWN = 5;
const SHOWN_TEXT = 100;

type Style = Parameters<typeof styleText>[0];
const painted = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

const kinds: Readonly<Record<FilesExplanation['verdict']['kind'], { readonly words: string; readonly style: Style }>> =
  {
    pass: { words: 'allowed: no rule applies', style: 'green' },
    allow: { words: 'allowed', style: 'green' },
    block: { words: 'blocked', style: 'red' },
    rewrite: { words: 'rewritten', style: 'yellow' },
  };

/** The decision, then each rule with its outcome, then errors in the files. */
export function formatExplanation({ name, type, verdict, rules, answer, skipped, files }: FilesExplanation): string {
  const { words, style } = kinds[verdict.kind];
  return [
    `${painted('bold', name)} ${type}: ${painted(style, words)}`,
    ...(verdict.rule === undefined
      ? []
      : [`  by ${painted('bold', verdict.rule)} of ${verdict.list}, ${verdict.source}`]),
    ...(verdict.rewrite === undefined ? [] : [`  answer: ${rewriteText(verdict.rewrite)}`]),
    ...(rules.length === 0 ? [] : ['', 'Matching rules in order of precedence:']),
    ...rules.map(({ text, list, outcome, why }) =>
      [
        `  ${painted(outcome === 'won' ? style : 'dim', outcome === 'won' ? '●' : '○')} ${text}`,
        painted('dim', `      ${list}: ${why}`),
      ].join('\n'),
    ),
    ...answerLines(answer),
    ...(skipped === 0
      ? []
      : [
          '',
          `${plural(skipped, 'rule')} skipped: the step limit for wildcards and regular expressions was reached; simplify or remove some`,
        ]),
    ...files.flatMap(notesOn),
  ].join('\n');
}

/** If no parts are given, only the rules that depend on the answer are shown. */
function answerLines({ parts, filtered, why, lists, locationRules }: FilesExplanation['answer']): string[] {
  const lines = parts.flatMap(({ value, verdict, rules }) => [
    `  ${value}: ${painted(kinds[verdict.kind].style, kinds[verdict.kind].words)}${verdict.rule === undefined ? '' : ` by ${verdict.rule}`}`,
    ...rules.map((rule) => painted('dim', `      ${rule.text}: ${rule.why}`)),
  ]);
  if (lines.length > 0) return ['', 'Answer:', ...lines];
  if (!filtered || (!lists.some(({ mayHaveAddressRules }) => mayHaveAddressRules) && locationRules.length === 0))
    return [];
  return ['', painted('dim', `${why} (--answer TARGET)`), ...locationRules.map(({ text }) => `  ○ ${text}`)];
}

function notesOn({ file, rules, repeated, ignored, invalid }: FilesExplanation['files'][number]): string[] {
  const left = Object.entries(ignored).toSorted(([, one], [, other]) => other - one);
  const ignoredRules = left.reduce((sum, [, times]) => sum + times, 0);
  const names = left.slice(0, SHOWN).map(([what]) => what);
  const counts = [
    plural(rules, 'rule'),
    ...(repeated > 0 ? [`${count(repeated)} repeated`] : []),
    ...(left.length > 0
      ? [`${count(ignoredRules)} ignored (${names.join(', ')}${left.length > SHOWN ? ', …' : ''})`]
      : []),
    ...(invalid.count > 0 ? [`${count(invalid.count)} invalid`] : []),
  ];
  const more = invalid.count - SHOWN;
  return [
    '',
    painted('dim', `${file}: ${counts.join(', ')}`),
    ...invalid.first
      .slice(0, SHOWN)
      .map(({ line, text, fault }) =>
        [
          `  line ${line}, column ${fault.start + 1}: ${shorten(text, SHOWN_TEXT)}`,
          painted('dim', `      ${fault.reason}`),
        ].join('\n'),
      ),
    ...(more > 0 ? [painted('dim', `  and ${count(more)} more: --json lists the first hundred`)] : []),
  ];
}

function rewriteText(rewrite: NonNullable<FilesExplanation['verdict']['rewrite']>): string {
  if (rewrite.kind === 'cname') return `CNAME ${rewrite.target}`;
  if (rewrite.kind === 'code') return rewrite.code;
  return rewrite.values.length === 0 ? `no ${rewrite.type} records` : rewrite.values.join(', ');
}
