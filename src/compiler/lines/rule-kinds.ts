import { endOfAddress, isPlainDomain } from './host-bytes.ts';
import { isAllowRule, isBlank, isComment } from './line-kind.ts';
import type { Lines } from './lines.ts';

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

export function countKinds({ text: { bytes }, count, start, end }: Lines): Record<RuleKind, number> {
  const counts = Object.fromEntries(ruleKinds.map((kind) => [kind, 0])) as Record<RuleKind, number>;
  for (let at = 0; at < count; at++) counts[ruleKind(bytes, start[at]!, end[at]!)]++;
  return counts;
}

const SAMPLE = 200;

/** What a source is written in, judged by some of its rules. */
export function detectFormat({ text: { bytes }, count, start, end }: Lines): Format {
  const found = { hosts: 0, domain: 0, adblock: 0 };
  const stride = Math.max(1, Math.floor(count / SAMPLE));
  for (let at = 0; at < count; at += stride) {
    const kind = ruleKind(bytes, start[at]!, end[at]!);
    if (kind === 'comment' || kind === 'empty') continue;
    found[kind === 'hosts' || kind === 'domain' ? kind : 'adblock']++;
  }
  const rules = found.hosts + found.domain + found.adblock;
  if (rules === 0) return 'empty';
  // Hosts files and lists of domains hold the odd line of another kind; half and half is a mixture.
  const most = 0.9 * rules;
  if (found.hosts >= most) return 'hosts';
  if (found.domain >= most) return 'domains';
  return found.adblock >= most ? 'adblock' : 'mixed';
}
