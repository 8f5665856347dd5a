import { localNameSettingsQuery, saveLocalNameSettings } from '../../../api/local-names.ts';
import { queryClient } from '../../../api/query-client.ts';
import {
  changeCustomLists,
  chosenCustomListsQuery,
  setUpstreams,
  upstreamsQuery,
} from '../../../api/server-extensions.ts';
import { renameServer, serverQuery } from '../../../api/servers.ts';
import type { LocalNameSettingsUpdate, Upstreams } from '../../../api/wire.ts';
import { type CustomLists, withToggled } from './toggle-custom-lists.ts';

/** Values of a profile that other operations save, because the published settings schema does not include them. */
export type PartValues = {
  readonly name: string;
  readonly customLists: CustomLists;
  readonly upstreams: Upstreams;
  readonly localNames: LocalNameSettingsUpdate;
};
export type PartName = keyof PartValues;
type PartDraft<T> = { readonly base: T; readonly edited: T };
export type PartDrafts = { readonly [Name in PartName]?: PartDraft<PartValues[Name]> };

type Part<T> = {
  readonly read: (server: string) => Promise<T>;
  readonly save: (server: string, draft: PartDraft<T>) => Promise<unknown>;
};

export const draftParts: { readonly [Name in PartName]: Part<PartValues[Name]> } = {
  name: {
    read: async (server) => (await queryClient.fetchQuery(serverQuery(server))).name,
    save: (server, { edited }) => renameServer(server, edited),
  },
  customLists: {
    read: async (server) => (await queryClient.fetchQuery(chosenCustomListsQuery(server))).custom_lists,
    save: (server, draft) => changeCustomLists(server, (current) => withToggled(current, draft)),
  },
  upstreams: {
    read: (server) => queryClient.fetchQuery(upstreamsQuery(server)),
    save: (server, { base, edited }) => setUpstreams(server, base, edited),
  },
  localNames: {
    read: async (server) => {
      const { rebinding_presets: _, ...settings } = await queryClient.fetchQuery(localNameSettingsQuery(server));
      return settings;
    },
    save: (server, { base, edited }) => saveLocalNameSettings(server, base, edited),
  },
};
export const partNames = Object.keys(draftParts) as PartName[];
