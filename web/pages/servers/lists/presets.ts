/** Choices of catalogue lists, from few to many blocked domains. docs/web.md gives the reasons. */
export const presets = {
  light: ['hagezi_multilight'],
  balanced: ['adguard_dns_filter', 'hagezi_threat_intelligence_feeds_mini'],
  strict: ['hagezi_pro++', 'hagezi_popup_ads', 'hagezi_threat_intelligence_feeds_medium'],
  family: [
    'adguard_dns_filter',
    'hagezi_threat_intelligence_feeds_mini',
    'hagezi_nsfw',
    'hagezi_gambling_blocklist',
    'hagezi_no_safesearch',
  ],
} as const satisfies Record<string, readonly string[]>;

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];

type Choice = { readonly filter_id: string; readonly enabled: boolean };

/** Enables exactly the lists of a preset. Saved entries stay in their order. */
export const withPreset = (name: PresetName, saved: readonly Choice[]): Choice[] => {
  const wanted = new Set<string>(presets[name]);
  const updated = saved.map(({ filter_id }) => ({ filter_id, enabled: wanted.has(filter_id) }));
  const added = [...wanted].filter((id) => !saved.some(({ filter_id }) => filter_id === id));
  return [...updated, ...added.map((filter_id) => ({ filter_id, enabled: true }))];
};

export const isPreset = (name: PresetName, enabled: ReadonlySet<string>): boolean =>
  presets[name].length === enabled.size && presets[name].every((id) => enabled.has(id));

/** Each list contains the ones before it, by the description of its author. */
const nested: readonly (readonly string[])[] = [
  ['hagezi_multilight', 'hagezi_multinormal', 'hagezi_pro', 'hagezi_pro++', 'hagezi_ultimate'],
  ['oisd_basic', 'oisd_full'],
  ['1hosts_lite', '1hosts_xtra'],
  [
    'hagezi_threat_intelligence_feeds_mini',
    'hagezi_threat_intelligence_feeds_medium',
    'hagezi_threat_intelligence_feeds',
  ],
];

/** The enabled list that already contains this one. */
export function containedIn(id: string, enabled: ReadonlySet<string>): string | undefined {
  const family = nested.find((ids) => ids.includes(id)) ?? [];
  return family.slice(family.indexOf(id) + 1).findLast((larger) => enabled.has(larger));
}
