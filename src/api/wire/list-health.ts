import Type from 'typebox';
import type { ListHealth as OwnHealth } from '../deps.ts';
import { int32, object } from './named.ts';

/** Part of every status of a list. */
export const heldBack = Type.Boolean({
  description:
    'Whether the source has a version with less than half of the rules. It is not used until it is accepted, or has been there for a day.',
});

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

/** Absent before the list was downloaded for the first time. */
export const ruleCounts = {
  rules_count: Type.Optional(int32({ description: 'Absent before the first download, like the other counts.' })),
  ignored_count: Type.Optional(int32({ description: 'Valid rules that do not apply to DNS.' })),
  invalid_count: Type.Optional(int32({ description: 'Invalid lines.' })),
};

export const ruleCountsToWire = (health: OwnHealth | undefined) =>
  health && (health.isBuiltIn || health.fetchedAt !== undefined)
    ? { rules_count: health.rules, ignored_count: health.ignored, invalid_count: health.invalid }
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
});
