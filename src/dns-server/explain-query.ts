import { types } from '../dns/numbers.ts';
import { explain } from '../engine/explain/explain.ts';
import type { ReadLine } from '../engine/list-table.ts';
import type { SourceName } from '../engine/sources.ts';
import { type AnswerExplanation, type AnswerPart, explainParts } from '../resolver/explain/explain-answer.ts';
import { explainLocally, type LocalExplanation, verdictOf } from '../resolver/explain/explain-local.ts';
import { type ExplainedTarget, explainTarget } from '../resolver/explain/explain-target.ts';
import { type ExplainedVerdict, toExplainedVerdict } from '../resolver/explain/explained-verdict.ts';
import { addressBytes } from '../resolver/identity/address-key.ts';
import type { Client } from '../resolver/identity/client.ts';
import type { IdentifiedClient } from '../resolver/identity/explain-client.ts';
import { ACCESS_SETTINGS, isPrivateDomain, REBINDING_PROTECTION } from '../resolver/pipeline/filter-targets.ts';
import type { LocalLookupDeps } from '../resolver/pipeline/local-lookup.ts';
import { compositionNow } from '../resolver/policy/policy.ts';
import { ruleOfTable } from '../resolver/policy/table-from-rules.ts';
import type { Answering } from './set-up-answering.ts';

export type QueryExplanation = {
  /** The part of the settings that applies now. */
  readonly filtering: 'full' | 'parental paused' | 'paused' | 'off';
  /** Records and forwarding rules that apply to the name, in the order in which they are tried. */
  readonly localNames: readonly LocalExplanation[];
  /** The prefix of DNS64, which applies if the name has no IPv6 address. */
  readonly dns64: string | undefined;
  readonly verdict: ExplainedVerdict;
  /** How the target of a CNAME is answered, if a rewrite or a local record is one. */
  readonly target: ExplainedTarget | undefined;
  readonly answer: AnswerExplanation;
  /** If a client was described: the device that it is. */
  readonly client: IdentifiedClient | undefined;
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

const NO_ADDRESS = new Uint8Array(0);

export type ExplainedQuery = {
  readonly name: Uint8Array;
  readonly type: number;
  /** Parts of an answer, which are decided too. */
  readonly answer: readonly AnswerPart[];
  /** For `$client` rules with addresses; by default the linked address of the device. */
  readonly clientAddress: Uint8Array | undefined;
};

/** Explains the decision for a query of this device, with its rules. */
export function explainQuery(
  {
    secret,
    clock,
    lineOf,
    locate,
    isRebinding,
  }: Pick<Answering, 'secret' | 'clock' | 'lineOf' | 'locate' | 'isRebinding'>,
  client: Client,
  { name, type, answer, clientAddress }: ExplainedQuery,
  namesFor: LocalLookupDeps['namesFor'],
): Omit<QueryExplanation, 'client'> {
  const { policy, ruleClient, identity, hasAccess } = client;
  const linkedIp = identity.kind === 'device' ? identity.device.linkedIp : undefined;
  const address = clientAddress ?? (linkedIp === undefined ? undefined : addressBytes(linkedIp));
  const query = { name, at: 0, type, client: { ...ruleClient, address } };
  const itsPolicy = policy();
  const composition = compositionNow(itsPolicy, client, clock.wallMs());
  const readLine: ReadLine = (table, slot) => ruleOfTable(table, slot) ?? lineOf(table, slot) ?? '';
  const explained = explain(query, composition.profile, { secret, readLine });
  const { verdict, rules, skipped } = explained;
  const names = namesFor(identity, address ?? NO_ADDRESS);
  const local = names ? explainLocally(names, name, type) : [];
  const byRecord = verdictOf(local);
  const whyForbidden = (part: AnswerPart): string | undefined => {
    if (part.kind === 'address')
      return isRebinding(name, { nameAt: 0, nameEnd: name.length }, part.address, 0, part.address.length) &&
        local[0]?.kind !== 'forward' &&
        !isPrivateDomain(client, name, 0, name.length)
        ? REBINDING_PROTECTION
        : undefined;
    return address && !hasAccess(address, undefined, part.name, 0, type) ? ACCESS_SETTINGS : undefined;
  };
  return {
    filtering: composition.name,
    localNames: local,
    dns64: type === types.AAAA ? identity.profile.settings.own.dns64?.prefix : undefined,
    verdict: toExplainedVerdict(verdict),
    target: explainTarget(query, {
      names,
      verdict,
      verdictFor: (target) => explain({ ...query, name: target }, composition.profile, { secret, readLine }).verdict,
    }),
    answer: explainParts(query, explained, answer, composition.profile, {
      secret,
      readLine,
      locate: locate && ((part) => ({ country: locate(part).country, network: locate(part).asn })),
      whyForbidden,
    }),
    rules: rules.map(({ source, list, text, outcome, why }) => ({ source, list: list.id, text, outcome, why })),
    skipped,
    missing: itsPolicy.missing,
    ...(byRecord && { ...byRecord, rules: [] }),
  };
}
