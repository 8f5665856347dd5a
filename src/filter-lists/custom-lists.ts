import { createHash } from 'node:crypto';
import type { Configuration } from '../compiler/configuration.ts';
import type { CustomList } from '../domain/custom-list.ts';
import type { ProfileSettings } from '../domain/profile.ts';
import type { WantedList } from './list-request.ts';

/** What an account has, and which of it its DNS servers use. */
export type AccountLists = {
  readonly id: string;
  readonly customLists: readonly CustomList[];
  readonly profiles: readonly ProfileSettings[];
};

/** Lists that accounts have brought and use, as they are to be kept. Of one's own account only, whatever settings may say. */
export function customListsInUse(accounts: Iterable<AccountLists>): readonly WantedList[] {
  return [...accounts].flatMap(({ id: account, customLists, profiles }) => {
    const used = new Set(
      profiles.flatMap(({ own }) => own.customLists.filter(({ enabled }) => enabled).map(({ id }) => id)),
    );
    return customLists.filter(({ id }) => used.has(id)).map((list) => wanted(list, account));
  });
}

/** Whether a list that is not in use was a custom list that does not exist any more. */
export const isDeletedCustomList = (id: string, isOfOperator: boolean, accounts: Iterable<AccountLists>): boolean =>
  !isOfOperator && ![...accounts].some(({ customLists }) => customLists.some((list) => list.id === id));

function wanted({ id, source }: CustomList, account: string): WantedList {
  const common = { id, namedBy: 'account', account } as const;
  switch (source.kind) {
    case 'url':
      return { ...common, source: source.url };
    case 'rules':
      return { ...common, source: `rules ${sumOf(source.rules)}`, given: { kind: 'rules', rules: source.rules } };
    case 'configuration': {
      // It was checked by the compiler when it came.
      const configuration = source.configuration as Configuration;
      return {
        ...common,
        source: `configuration ${sumOf(JSON.stringify(configuration))}`,
        given: { kind: 'configuration', configuration },
      };
    }
  }
}

/** Another content is another source. */
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
