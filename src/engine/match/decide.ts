import { formatIp } from '../../kit/ip-address.ts';
import { wireName } from '../../kit/wire-name.ts';
import type { AutomatonMemory } from '../../rules/regex/regex-runner.ts';
import { hashKey, type NameKeys, readNameKeys } from '../name-keys.ts';
import { secretCheck } from '../secret-check.ts';
import type { Verdict } from '../verdict.ts';
import type { AnswerLocation, Client } from './conditions.ts';
import { createMatcher } from './match.ts';
import { createMatchContext } from './match-context.ts';
import type { EngineProfile, Extent } from './profile.ts';

/** A query; the name is in wire format. */
export type Query = {
  readonly name: Uint8Array;
  readonly at: number;
  readonly type: number;
  readonly client?: Client | undefined;
};

/** Part of an answer, with the type of its record. */
export type Answer = { readonly type: number; readonly client?: Client | undefined } & (
  | { readonly kind: 'name'; readonly name: Uint8Array; readonly at: number }
  | { readonly kind: 'address'; readonly address: Uint8Array }
  /** Location of the answer's addresses; `name` is the queried name. */
  | ({ readonly kind: 'location'; readonly name: Uint8Array; readonly at: number } & AnswerLocation)
);

/** Decides for one thread. A verdict is valid until the next decision. */
export type Decider = {
  readonly decide: (query: Query, profile: EngineProfile) => Verdict;
  /** All parts of an answer share one budget: call this before the first part. */
  readonly startAnswer: () => void;
  /** Must not be called if the query was allowed. */
  readonly decideAnswer: (answer: Answer, profile: EngineProfile) => Verdict;
  /** Fingerprints of the name last decided. */
  readonly keys: NameKeys;
  /** Cached automaton states; see `createAutomatonMemory`. */
  readonly automata: AutomatonMemory;
};

/**
 * Called with the number of wildcards and regular expressions that a decision skipped because its budget was used up.
 */
export type OnSkipped = (profile: EngineProfile, rules: number) => void;

/** Cache lines of four verdicts each: 4 MB, allocated on demand. More names than a household queries in a day. */
const LINES = 65_536;

export function createDecider(
  secret: Uint8Array,
  lines = LINES,
  onSkipped?: OnSkipped,
  cachedAutomata?: AutomatonMemory,
): Decider {
  const key = hashKey(secret);
  const check = secretCheck(key).high;
  const context = createMatchContext(lines);
  const { match, pass, allowSteps, skipped, automata } = createMatcher(context, cachedAutomata);

  const matchName = (name: Uint8Array, at: number, profile: EngineProfile, extent: Extent): Verdict => {
    // Tables built with another secret would never match, and filtering would silently fail.
    if (profile.secretCheck !== check && profile.secretCheck !== undefined)
      throw new Error('the tables of the profile are made with another secret than the decider has');
    context.name = name;
    context.at = at;
    context.reset();
    readNameKeys(key, name, at, context.keys, extent);
    const verdict = match(profile, extent);
    if (skipped() > 0) onSkipped?.(profile, skipped());
    return verdict;
  };

  const decide = ({ name, at, type, client }: Query, profile: EngineProfile): Verdict => {
    context.type = type;
    context.client = client;
    context.location = undefined;
    context.subject = 'query';
    allowSteps();
    return matchName(name, at, profile, profile.forQuestions);
  };

  const decideAnswer = (answer: Answer, profile: EngineProfile): Verdict => {
    if (answer.kind === 'address' && !profile.hasAddresses) return pass();
    context.type = answer.type;
    context.client = answer.client;
    context.location = answer.kind === 'location' ? answer : undefined;
    context.subject = answer.kind === 'address' ? 'address' : 'name';
    if (answer.kind === 'address') return matchName(addressName(answer.address), 0, profile, profile.forAddresses);
    return matchName(
      answer.name,
      answer.at,
      profile,
      answer.kind === 'location' ? profile.forLocations : profile.forAnswers,
    );
  };

  return { decide, startAnswer: allowSteps, decideAnswer, keys: context.keys, automata };
}

/** The text of an address as a name, as rules for addresses are written. */
export const addressName = (address: Uint8Array): Uint8Array =>
  wireName(formatIp({ family: address.length === 4 ? 'V4' : 'V6', bytes: [...address] }))!;
