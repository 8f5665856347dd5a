import Type, { type Static } from 'typebox';
import type { ListHealth as OwnHealth } from '../list-deps.ts';
import { int32, int64, object } from './named.ts';

/** Part of every status of a list. */
export const heldBack = Type.Boolean({
  description:
    'Whether the source has a version with less than half of the rules. It is not used until it is accepted, or has been available for a day.',
});

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const ListDownload = object('ListDownload', 'A download in progress.', {
  received_bytes: int64({ description: 'Bytes received so far, before decompression, for all sources of the list.' }),
  total_bytes: Type.Optional(int64({ description: 'Absent if a server does not send the size.' })),
});

/** Part of every status of a list. */
export const downloadField = { download: Type.Optional(ListDownload) };

export const downloadToWire = ({
  download,
}: Pick<OwnHealth, 'download'>): { download?: Static<typeof ListDownload> } =>
  download
    ? {
        download: {
          received_bytes: download.receivedBytes,
          ...(download.totalBytes !== undefined && { total_bytes: download.totalBytes }),
        },
      }
    : {};

/** Absent before the list was downloaded for the first time. */
export const ruleCounts = {
  rules_count: Type.Optional(int32({ description: 'Absent before the first download, like the other counts.' })),
  ignored_count: Type.Optional(int32({ description: 'Valid rules that do not apply to DNS.' })),
  invalid_count: Type.Optional(int32({ description: 'Invalid lines.' })),
  added_count: Type.Optional(
    int32({ description: 'Rules that the last update has added; absent before the first update.' }),
  ),
  removed_count: Type.Optional(
    int32({ description: 'Rules that the last update has removed; absent before the first update.' }),
  ),
};

export const ListOverlap = object('ListOverlap', 'Domains that a filter list shares with others.', {
  id: Type.String({ description: 'Id of the filter list or custom list.' }),
  domains_count: int32({ description: 'Domains with a rule without modifiers.' }),
  unique_count: int32({ description: 'Number of these domains that no other enabled list of the DNS server has.' }),
});

export const ListChanges = object('ListChanges', 'Rules that the last update of a filter list has changed.', {
  time_updated: Type.String({ format: 'date-time', description: 'Time when this version was downloaded.' }),
  added_count: int32({}),
  removed_count: int32({}),
  added: Type.Array(Type.String(), { description: 'The first 50 added rules, in the order of the list.' }),
  removed: Type.Array(Type.String(), { description: 'The first 50 removed rules, in the order of the list.' }),
});

export const ruleCountsToWire = (health: OwnHealth | undefined) =>
  health && (health.isBuiltIn || health.fetchedAt !== undefined)
    ? {
        rules_count: health.rules,
        ignored_count: health.ignored,
        invalid_count: health.invalid,
        ...(health.changes && { added_count: health.changes.added, removed_count: health.changes.removed }),
      }
    : {};

export const ListHealth = object('ListHealth', 'Status of a filter list.', {
  filter_id: Type.String(),
  is_in_use: Type.Boolean({
    description: 'Whether the list is loaded and applied. Lists that no DNS server uses are not downloaded.',
  }),
  is_built_in: Type.Boolean({
    description: 'Whether the built-in list is used in its place, because it was never downloaded.',
  }),
  ...ruleCounts,
  time_updated: time('Time when this version was downloaded.'),
  time_checked: time('Time when the source last confirmed that this version is current.'),
  problem: Type.Optional(Type.String({ description: 'Error message; absent without an error.' })),
  problem_since: time('Since when.'),
  is_held_back: heldBack,
  ...downloadField,
});
