import { createDecider, type Decider } from '../../engine/match/decide.ts';
import { composeProfile } from '../../engine/match/profile.ts';
import { threadAutomata } from '../../rules/regex/regex-runner.ts';
import { type RuleTables, tableFromRules } from './table-from-rules.ts';

/** Tests whether filter rules block a name. Allocates nothing. */
export type IsNamed = (name: Uint8Array, nameAt: number, type: number) => boolean;

/** Capacity of the verdict cache. */
const FEW_LINES = 1024;

const matchesNone: IsNamed = () => false;

type Owned = { readonly tables?: RuleTables | undefined; readonly account?: string | undefined };

export function namedBy(rules: readonly string[], secret: Uint8Array, owned?: Owned): IsNamed {
  const table = tableFromRules('access', rules, secret, owned);
  if (!table) return matchesNone;
  const profile = composeProfile([{ source: 'user rules', tables: [table] }]);
  const decider = deciderWith(secret);
  const query: { name: Uint8Array; at: number; type: number } = { name: new Uint8Array(0), at: 0, type: 0 };
  return (name, nameAt, type) => {
    query.name = name;
    query.at = nameAt;
    query.type = type;
    return decider.decide(query, profile).kind === 'block';
  };
}

// Uses its own decider: a verdict of the pipeline's decider is only valid until its next decision and must not be overwritten here.
const deciders = new WeakMap<Uint8Array, Decider>();

function deciderWith(secret: Uint8Array): Decider {
  const decider = deciders.get(secret) ?? createDecider(secret, FEW_LINES, undefined, threadAutomata);
  deciders.set(secret, decider);
  return decider;
}
