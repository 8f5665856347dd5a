/** Sections of a profile in their order, with the paths of their settings and parts; a longer path takes precedence. */
const paths = {
  overview: ['protection_enabled', 'name'],
  lists: ['filter_lists_settings', 'customLists'],
  rules: ['user_rules_settings'],
  services: [
    'parental_control_settings.enabled',
    'parental_control_settings.blocked_services',
    'parental_control_settings.blocked_filtering_categories',
  ],
  safety: ['safebrowsing_settings', 'parental_control_settings'],
  schedule: ['parental_control_settings.screen_time_schedule'],
  names: ['localNames'],
  access: ['access_settings'],
  advanced: [],
} as const satisfies Record<string, readonly string[]>;

export type SectionName = keyof typeof paths;
export const sectionNames = Object.keys(paths) as SectionName[];

/** Names of sections in links from earlier versions. */
const earlierNames: Readonly<Record<string, SectionName>> = {
  general: 'overview',
  parental: 'services',
  blocking: 'advanced',
};

const isSection = (text: string): text is SectionName => Object.hasOwn(paths, text);

/** Undefined for text that names no section. */
export const sectionNamed = (text = 'overview'): SectionName | undefined =>
  isSection(text) ? text : earlierNames[text];

const isPartOf = (path: string, prefix: string): boolean =>
  path === prefix || (path.startsWith(prefix) && '.['.includes(path.charAt(prefix.length)));

export function sectionOf(path: string): SectionName {
  const candidates = sectionNames.flatMap((section) =>
    paths[section].filter((whole) => isPartOf(path, whole)).map((whole) => ({ section, length: whole.length })),
  );
  return candidates.sort((one, other) => other.length - one.length)[0]?.section ?? 'advanced';
}
