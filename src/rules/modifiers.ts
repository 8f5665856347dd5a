import { ok, type Result } from '../kit/result.ts';
import { readRewrite } from './read-rewrite.ts';
import type { Rule } from './rule.ts';
import type { RuleError } from './rule-error.ts';
import { readClientLimit, readDenyallow, readLocationLimit, readTagLimit, readTypeLimit } from './rule-limits.ts';

export type Modifier = {
  /** Accepted by the compiler's Validate: exactly those that the original compiler accepts. */
  readonly inCompiler: boolean;
  /** Validate accepts a rule with it on a whole public suffix. */
  readonly limitsSuffix: boolean;
  /** A rule with it may match every name, because it applies to some of the queries only. */
  readonly limitsQueries: boolean;
  readonly value: 'none' | 'needed' | 'needed unless @@';
  /** Example of its syntax. */
  readonly like: string;
  /** The rule members it sets; `value` is '' without one. */
  readonly read: (value: string) => Result<Partial<Rule>, RuleError>;
};

/** The modifiers that a DNS filter supports. All others are ignored. */
export const knownModifiers: ReadonlyMap<string, Modifier> = new Map([
  ['important', flag('important', { important: true })],
  ['~important', flag('~important', {})],
  // Repeats the rule that it disables, including its limits.
  ['badfilter', { ...flag('badfilter', { badfilter: true }), limitsSuffix: true }],
  ['dnstype', limit('dnstype=A|AAAA', inField('types', readTypeLimit))],
  ['ctag', limit('ctag=device_phone', inField('tags', readTagLimit))],
  ['client', { ...limit("client='My phone'|10.0.0.0/8", inField('clients', readClientLimit)), limitsSuffix: true }],
  ['denyallow', { ...limit('denyallow=example.org', inField('denyallow', readDenyallow)), limitsSuffix: true }],
  // Newer than the original compiler.
  ['respgeo', { ...limit('respgeo=DE|AS15169', inField('locations', readLocationLimit)), inCompiler: false }],
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
