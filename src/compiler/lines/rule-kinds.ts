import { eachBlock } from './blocks.ts';
import { TO_BE_WRITTEN } from './kernels.ts';
import { isAllowRule, isBlank, isComment } from './line-kind.ts';
import { addLine, createLines, type Lines } from './lines.ts';
import { endOfAddress, isPlainDomain } from './parse-host.ts';

const ruleKinds = ['block', 'allow', 'hosts', 'domain', 'regular expression', 'comment', 'empty'] as const;
export type RuleKind = (typeof ruleKinds)[number];
export type Format = 'adblock' | 'hosts' | 'domains' | 'mixed' | 'empty';

const SLASH = 0x2f;

export function ruleKind(bytes: Uint8Array, start: number, end: number): RuleKind {
  if (isBlank(bytes, start, end)) return 'empty';
  if (isComment(bytes, start, end)) return 'comment';
  if (isAllowRule(bytes, start, end)) return 'allow';
  if (bytes[start] === SLASH) return 'regular expression';
  if (endOfAddress(bytes, start, end) !== -1) return 'hosts';
  return isPlainDomain(bytes, start, end) ? 'domain' : 'block';
}

export function countKinds(lines: Lines): Record<RuleKind, number> {
  const counts = Object.fromEntries(ruleKinds.map((kind) => [kind, 0])) as Record<RuleKind, number>;
  eachBlock(lines, ({ bytes, kernels, block: { start, end, nameStart, nameEnd, traits } }, first, count) => {
    kernels.readNames(count, first);
    for (let at = 0; at < count; at++) {
      if (nameEnd[at] === 0) counts[ruleKind(bytes, start[at]!, end[at]!)]++;
      else if ((traits[at]! & TO_BE_WRITTEN) === 0) counts.block++;
      else counts[nameStart[at] === start[at] ? 'domain' : 'hosts']++;
    }
  });
  return counts;
}

const SAMPLE = 1000;

/** Format of a source, judged by a sample of its rules. */
export function detectFormat(lines: Lines): Format {
  const { hosts, domain, ...counts } = countKinds(sampleOf(lines));
  const adblock = counts.block + counts.allow + counts['regular expression'];
  const rules = hosts + domain + adblock;
  if (rules === 0) return 'empty';
  // A source has a format if nine tenths of its rules do, because hosts files and domain lists contain a few lines of other kinds.
  // Otherwise it is "mixed".
  const most = 0.9 * rules;
  if (hosts >= most) return 'hosts';
  if (domain >= most) return 'domains';
  return adblock >= most ? 'adblock' : 'mixed';
}

function sampleOf({ text, count, start, end }: Lines): Lines {
  const sample = createLines(text, 2 * SAMPLE);
  const stride = Math.max(1, Math.floor(count / SAMPLE));
  for (let at = 0; at < count; at += stride) addLine(sample, start[at]!, end[at]!, 0, 0);
  return sample;
}
