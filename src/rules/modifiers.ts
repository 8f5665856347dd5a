import { ok, type Result } from '../kit/result.ts';
import { readRewrite } from './read-rewrite.ts';
import type { Rule } from './rule.ts';
import type { RuleError } from './rule-error.ts';
import { readClientLimit, readDenyallow, readPlaceLimit, readTagLimit, readTypeLimit } from './rule-limits.ts';

export type Modifier = {
  /** The compiler's Validate takes it: those that the compiler of published lists takes, no more and no less. */
  readonly inCompiler: boolean;
  /** Validate lets a rule with it stand on a whole public suffix. */
  readonly limitsSuffix: boolean;
  /** A rule with it may stand for every name, because it concerns some of the queries only. */
  readonly limitsQueries: boolean;
  readonly value: 'none' | 'needed' | 'needed unless @@';
  /** How it is written. */
  readonly like: string;
  /** What it makes of a rule; the value is '' where none is given. */
  readonly read: (value: string) => Result<Partial<Rule>, RuleError>;
};

/** The modifiers that a DNS filter can honour. Whatever is not here means nothing to it. */
export const knownModifiers: ReadonlyMap<string, Modifier> = new Map([
  ['important', flag('important', { important: true })],
  ['~important', flag('~important', {})],
  // Repeats the rule that it switches off, limits and all.
  ['badfilter', { ...flag('badfilter', { badfilter: true }), limitsSuffix: true }],
  ['dnstype', limit('dnstype=A|AAAA', inField('types', readTypeLimit))],
  ['ctag', limit('ctag=device_phone', inField('tags', readTagLimit))],
  ['client', { ...limit("client='My phone'|10.0.0.0/8", inField('clients', readClientLimit)), limitsSuffix: true }],
  ['denyallow', { ...limit('denyallow=example.org', inField('denyallow', readDenyallow)), limitsSuffix: true }],
  // Younger than the compiler of published lists.
  ['respgeo', { ...limit('respgeo=DE|AS15169', inField('places', readPlaceLimit)), inCompiler: false }],
  [
    'dnsrewrite',
    {
      ...limit('dnsrewrite=192.0.2.1', (value) =>
        value === '' ? ok({ rewrite: { kind: 'any' } }) : inField('rewrite', readRewrite)(value),
      ),
      limitsQueries: false,
      value: 'needed unless @@',
    },
  ],
]);

function flag(like: string, meaning: Partial<Rule>): Modifier {
  return { inCompiler: true, limitsSuffix: false, limitsQueries: false, value: 'none', like, read: () => ok(meaning) };
}

function limit(like: string, read: Modifier['read']): Modifier {
  return { inCompiler: true, limitsSuffix: false, limitsQueries: true, value: 'needed', like, read };
}

function inField<K extends keyof Rule>(
  field: K,
  read: (value: string) => Result<Rule[K], RuleError>,
): Modifier['read'] {
  return (value) => {
    const meaning = read(value);
    return meaning.ok ? ok({ [field]: meaning.value } as Pick<Rule, K>) : meaning;
  };
}
