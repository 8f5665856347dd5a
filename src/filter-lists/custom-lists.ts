import { createHash } from 'node:crypto';
import type { Configuration } from '../compiler/configuration.ts';
import type { CustomList } from '../domain/custom-list.ts';
import type { ProfileSettings } from '../domain/profile.ts';
import type { WantedList } from './list-request.ts';

/** The custom lists of an account and the profiles that use them. */
export type AccountLists = {
  readonly id: string;
  readonly customLists: readonly CustomList[];
  readonly profiles: readonly ProfileSettings[];
};

/** Custom lists in use. Profiles can only use lists of their account. */
export function customListsInUse({ id: account, customLists, profiles }: AccountLists): readonly WantedList[] {
  const used = new Set(
    profiles.flatMap(({ own }) => own.customLists.filter(({ enabled }) => enabled).map(({ id }) => id)),
  );
  return customLists.filter(({ id }) => used.has(id)).map((list) => wanted(list, account));
}

function wanted({ id, source }: CustomList, account: string): WantedList {
  const common = { id, namedBy: 'account', account } as const;
  switch (source.kind) {
    case 'url':
      return { ...common, source: source.url };
    case 'rules':
      return { ...common, source: `rules ${sumOf(source.rules)}`, given: { kind: 'rules', rules: source.rules } };
    case 'configuration': {
      // Not validated here: the compiler validated it when it was saved.
      const configuration = source.configuration as Configuration;
      return {
        ...common,
        source: `configuration ${sumOf(JSON.stringify(configuration))}`,
        given: { kind: 'configuration', configuration },
      };
    }
  }
}

/** A content hash, so that changed rules count as another source. */
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
