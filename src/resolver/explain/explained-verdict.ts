import { recordText } from '../../dns/record-text.ts';
import type { SourceVerdict } from '../../engine/explain/explain.ts';
import type { SourceName } from '../../engine/sources.ts';
import type { Rewritten } from '../../engine/verdict.ts';
import { codeName, typeName } from '../../kit/dns-numbers.ts';
import { rewrittenRecords } from '../pipeline/rewritten-answer.ts';

export type ExplainedVerdict = {
  readonly kind: SourceVerdict['kind'];
  readonly source?: SourceName;
  readonly list?: string;
  readonly rule?: string;
  readonly rewrite?: ExplainedRewrite;
};

/** Numbers and bytes in presentation format. */
type ExplainedRewrite =
  | { readonly kind: 'cname'; readonly target: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'records'; readonly type: string; readonly values: readonly string[] };

const root = Uint8Array.of(0);

export function toExplainedVerdict(verdict: SourceVerdict): ExplainedVerdict {
  if (verdict.kind === 'pass') return verdict;
  const { kind, source, list, text, rewrite } = verdict;
  return { kind, source, list: list.id, rule: text, ...(rewrite && { rewrite: toExplainedRewrite(rewrite) }) };
}

function toExplainedRewrite(rewrite: Rewritten): ExplainedRewrite {
  if (rewrite.kind === 'cname') return rewrite;
  if (rewrite.kind === 'code') return { kind: 'code', code: codeName(rewrite.code) };
  const records = rewrittenRecords(root, rewrite.type, rewrite.values, 0);
  return {
    kind: 'records',
    type: typeName(rewrite.type),
    values: records.map(({ type, data }) => recordText(type, data)),
  };
}
