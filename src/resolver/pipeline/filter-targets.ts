import { types } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import type { Answer, Decider } from '../../engine/match/decide.ts';
import { createVerdict, type Verdict } from '../../engine/verdict.ts';
import type { Standing } from '../identity/client.ts';
import type { Composition } from '../policy/policy.ts';
import type { LeadsInside } from '../policy/rebinding.ts';
import type { Asked } from '../transport/listener.ts';
import { isAddressItem, itemLength } from './answer-targets.ts';
import type { Notes } from './query-recorder.ts';

export type ItemFilter = ReturnType<typeof createItemFilter>;

/**
 * Looks at what an answer leads to: names and addresses, as answer-items.ts packs them. Everything that is answered passes here, kept
 * or fresh, for each client anew. Allocates nothing.
 */
export function createItemFilter(deps: {
  readonly decider: Decider;
  readonly notes: Notes;
  readonly leadsInside: LeadsInside;
  /** Where an address is, where anybody knows: for rules about that. */
  readonly placeOf?:
    | ((address: Uint8Array) => { readonly country?: string | undefined; readonly asn?: number | undefined })
    | undefined;
}) {
  const { decider, notes, leadsInside, placeOf } = deps;
  const name = {
    kind: 'name' as const,
    name: new Uint8Array(0) as Uint8Array,
    at: 0,
    type: types.CNAME,
    client: undefined as Standing['client'] | undefined,
  } satisfies Answer;
  const ipv4 = {
    kind: 'address' as const,
    address: new Uint8Array(4),
    type: types.A as number,
    client: undefined as Standing['client'] | undefined,
  };
  const ipv6 = { ...ipv4, address: new Uint8Array(16), type: types.AAAA as number };
  const PRIVATE: Verdict = { ...createVerdict(), kind: 'block' };

  function verdictOn(
    bytes: Uint8Array,
    at: number,
    head: number,
    standing: Standing,
    composition: Composition,
  ): Verdict {
    if (!isAddressItem(head)) {
      name.name = bytes;
      name.at = at;
      name.client = standing.client;
      return decider.decideAnswer(name, composition.profile);
    }
    const answer = itemLength(head) === 4 ? ipv4 : ipv6;
    for (let i = 0; i < answer.address.length; i++) answer.address[i] = bytes[at + i]!;
    answer.client = standing.client;
    return decider.decideAnswer(answer, composition.profile);
  }

  /** What rules about places say: of the name that was asked for, with this address behind it. */
  function verdictOnPlace(
    address: Uint8Array,
    asked: Asked,
    question: Question,
    standing: Standing,
    composition: Composition,
  ): Verdict {
    const { country, asn } = placeOf!(address);
    const { type, nameAt } = question;
    const answer = {
      kind: 'place' as const,
      name: asked.bytes,
      at: nameAt,
      type,
      client: standing.client,
      country,
      network: asn,
    };
    return decider.decideAnswer(answer, composition.profile);
  }

  const filter = {
    /** What the last look found, if anything; it holds as long as a verdict does. */
    blocked: undefined as Verdict | undefined,
    /** A rule lets the answer through, which is noted. */
    isAllowed: false,
    /** Notes the first address on the way. `isFiltered` is false for what the client's own rules let through. */
    look(
      bytes: Uint8Array,
      at: number,
      length: number,
      asked: Asked,
      question: Question,
      standing: Standing,
      composition: Composition,
      isFiltered: boolean,
    ): Verdict | undefined {
      filter.blocked = undefined;
      filter.isAllowed = false;
      decider.startAnswer();
      let hasAddress = false;
      let isLookedAt = !isFiltered;
      notes.address(bytes, at, 0);
      for (let item = at; item < at + length; item += 1 + itemLength(bytes[item]!)) {
        const head = bytes[item]!;
        if (isAddressItem(head)) {
          if (!hasAddress) notes.address(bytes, item + 1, itemLength(head));
          hasAddress = true;
          if (leadsInside(asked.bytes, question.nameAt, question.nameEnd, bytes, item + 1, itemLength(head))) {
            filter.blocked = PRIVATE;
            return PRIVATE;
          }
        } else if (!standing.mayAsk(asked.client, undefined, bytes, item + 1, question.type)) {
          filter.blocked = PRIVATE;
          return PRIVATE;
        }
        if (isLookedAt) continue;
        let verdict = verdictOn(bytes, item + 1, head, standing, composition);
        if (placeOf && verdict.kind === 'pass' && isAddressItem(head)) {
          const { address } = itemLength(head) === 4 ? ipv4 : ipv6;
          verdict = verdictOnPlace(address, asked, question, standing, composition);
        }
        if (verdict.kind === 'block') {
          filter.blocked = verdict;
          return verdict;
        }
        if (verdict.kind === 'allow') {
          notes.rule(verdict, standing);
          filter.isAllowed = true;
          isLookedAt = true;
        }
      }
      return undefined;
    },
  };
  return filter;
}
