import Type, { type Static } from 'typebox';
import { ok } from '../kit/result.ts';
import type { SafetyKind } from './deps.ts';
import type { ListHealth } from './list-deps.ts';
import { type Operation, query } from './operation.ts';
import { SafetyList } from './wire/safety-lists.ts';

type SafetyState = Static<typeof SafetyList>;

const settingOf: Readonly<Record<SafetyKind, SafetyState['setting']>> = {
  'dangerous domains': 'block_dangerous_domains',
  adult: 'block_adult_websites_enabled',
  'newly registered': 'block_nrd',
  typosquatting: 'typosquatting_protection_enabled',
  homoglyph: 'homoglyph_protection_enabled',
};

/** Whether the lists of a switch block anything. One loaded list is enough; problems of the others are reported. */
export function safetyState(kind: SafetyKind, configured: number, lists: readonly ListHealth[]): SafetyState {
  const loaded = lists.filter(({ isLoaded }) => isLoaded);
  const problem = lists.find((list) => list.problem)?.problem?.why;
  const state =
    configured === 0
      ? 'no_list'
      : loaded.length > 0
        ? 'ready'
        : problem !== undefined
          ? 'failed'
          : lists.length > 0
            ? 'loading'
            : 'unused';
  return {
    setting: settingOf[kind],
    state,
    rules_count: loaded.reduce((sum, { rules }) => sum + rules, 0),
    ...(problem !== undefined && { problem }),
  };
}

export const safetyListOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/filter_lists/safety',
    operationId: 'getSafetyLists',
    group: 'Filter lists',
    summary: 'Get the status of the lists behind safe browsing and the blocking of adult websites',
    description: 'A switch without a loaded list blocks nothing.',
    reply: Type.Array(SafetyList),
    responseDescription: 'Status for every switch.',
    run: async (_store, _asked, { safetyLists, listHealth }) => {
      const healthOfLists = listHealth();
      return ok(
        safetyLists().map(({ kind, ids }) =>
          safetyState(
            kind,
            ids.length,
            healthOfLists.filter(({ id }) => ids.includes(id)),
          ),
        ),
      );
    },
  }),
];
