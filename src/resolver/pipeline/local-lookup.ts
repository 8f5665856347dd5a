import { rcodes } from '../../dns/numbers.ts';
import type { CachedAnswer } from '../cache/cache-entry.ts';
import { decideLocally, type LocalDecision, type SearchAttempt } from '../local-names/decide-locally.ts';
import type { QueryContext } from './query-context.ts';
import type { Resolved } from './resolve.ts';
import { type FollowAliases, fresh, type NamesFor, type ResolveName, withAliases } from './rewrite.ts';
import { aliasesAnswer } from './synthetic-answers.ts';

/** Recorded instead of a rule for answers from local records. */
export const LOCAL_RECORD = 'local record';
const localRecordText = new TextEncoder().encode(LOCAL_RECORD);

export type LocalLookupDeps = {
  readonly namesFor: NamesFor;
  readonly followAliases: FollowAliases;
};

/** `undefined`: the query is resolved like any other, with the upstream group in its context. */
export type LocalLookup = (context: QueryContext, resolve: ResolveName) => Promise<Resolved | undefined>;

const LOOP: Resolved = { kind: 'failed', why: 'loop' };

/** Answers from local records. Rules do not filter their data, which the account has chosen, except the targets of aliases. */
export function createLocalLookup({ namesFor, followAliases }: LocalLookupDeps): LocalLookup {
  return async (context, resolve) => {
    const { request, question, client } = context;
    const names = namesFor(client!.identity, request.client);
    if (!names) return undefined;
    const recorded = (resolved: Resolved): Resolved => {
      context.status = 'MODIFIED';
      context.recordedReason = localRecordText;
      return resolved;
    };
    const answer = (records: CachedAnswer): Resolved => recorded(fresh(records));

    const fromAttempt = async ({ alias, decision }: SearchAttempt): Promise<Resolved | undefined> => {
      switch (decision.kind) {
        case 'records':
          return answer(aliasesAnswer(request.bytes, question, [alias, ...decision.answer]));
        case 'alias':
          return recorded(await followAliases(context, resolve, [alias, ...decision.aliases]));
        case 'loop':
          return recorded(LOOP);
        case 'forward': {
          const resolved = await resolve(alias.data, decision.group);
          return isFound(resolved) ? recorded(withAliases(context, [alias], resolved)) : undefined;
        }
      }
    };

    const decision: LocalDecision = decideLocally(
      names,
      request.bytes.slice(question.nameAt, question.nameEnd),
      question.type,
    );
    switch (decision.kind) {
      case 'none':
        return undefined;
      case 'records':
        return answer(aliasesAnswer(request.bytes, question, decision.answer));
      case 'alias':
        return recorded(await followAliases(context, resolve, decision.aliases));
      case 'loop':
        return recorded(LOOP);
      case 'forward':
        context.upstreamGroup = decision.group;
        return undefined;
      case 'search':
        for (const attempt of decision.attempts) {
          const resolved = await fromAttempt(attempt);
          if (resolved) return resolved;
        }
        return undefined;
    }
  };
}

const isFound = (resolved: Resolved): boolean =>
  resolved.kind !== 'failed' && (resolved.answer.message[3]! & 0xf) === rcodes.NOERROR;
