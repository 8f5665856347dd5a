/** Sections of the settings page with their setting paths. */
const paths = {
  general: ['protection_enabled'],
  lists: ['filter_lists_settings'],
  rules: ['user_rules_settings'],
  parental: ['parental_control_settings'],
  safety: ['safebrowsing_settings'],
  access: ['access_settings'],
  blocking: ['blocking_mode_settings', 'block_ttl_seconds'],
  names: [],
  advanced: [],
} as const satisfies Record<string, readonly string[]>;

export type SectionName = keyof typeof paths;
export const sectionNames = Object.keys(paths) as SectionName[];

export const isSection = (text: string | undefined): text is SectionName =>
  text !== undefined && Object.hasOwn(paths, text);

export function sectionOf(path: string): SectionName {
  const name = path.split(/[.[]/)[0]!;
  return sectionNames.find((section) => (paths[section] as readonly string[]).includes(name)) ?? 'advanced';
}
