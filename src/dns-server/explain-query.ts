import { explain } from '../engine/explain/explain.ts';
import type { SourceName } from '../engine/sources.ts';
import { type ExplainedVerdict, toExplainedVerdict } from '../resolver/explain/explain-files.ts';
import type { Client } from '../resolver/identity/client.ts';
import { compositionNow } from '../resolver/policy/policy.ts';
import { ruleOfTable } from '../resolver/policy/table-from-rules.ts';
import type { Answering } from './answering-thread.ts';

export type QueryExplanation = {
  /** The part of the settings that applies now. */
  readonly filtering: 'full' | 'parental paused' | 'off';
  readonly verdict: ExplainedVerdict;
  readonly rules: readonly {
    readonly source: SourceName;
    readonly list: string;
    readonly text: string;
    readonly outcome: string;
    readonly why: string;
  }[];
  /** Wildcards and expressions that are skipped for this name. */
  readonly skipped: number;
  /** Lists that are enabled and not loaded yet. */
  readonly missing: readonly string[];
};

/** Explains the decision for a query of this device, with its rules. */
export function explainQuery(
  { secret, clock, lineOf }: Pick<Answering, 'secret' | 'clock' | 'lineOf'>,
  { policy, isProtected, ruleClient: client }: Pick<Client, 'policy' | 'isProtected' | 'ruleClient'>,
  { name, type }: { readonly name: Uint8Array; readonly type: number },
): QueryExplanation {
  const itsPolicy = policy();
  const composition = compositionNow(itsPolicy, isProtected, clock.wallMs());
  const { verdict, rules, skipped } = explain({ name, at: 0, type, client }, composition.profile, {
    secret,
    readLine: (table, slot) => ruleOfTable(table, slot) ?? lineOf(table, slot) ?? '',
  });
  return {
    filtering: composition.name,
    verdict: toExplainedVerdict(verdict),
    rules: rules.map(({ source, list, text, outcome, why }) => ({ source, list: list.id, text, outcome, why })),
    skipped,
    missing: itsPolicy.missing,
  };
}
