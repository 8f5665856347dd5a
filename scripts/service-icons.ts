import type { SimpleIcon } from 'simple-icons';
import * as simpleIcons from 'simple-icons';
import { serviceRows } from '../src/domain/catalogue/web-services.ts';

// Services that simple-icons names differently. For all others, the id without underscores is the name.
const slugOfService: Readonly<Record<string, string>> = {
  activision_blizzard: 'activision',
  apple_streaming: 'appletv',
  battle_net: 'battledotnet',
  bunny_cdn: 'bunnydotnet',
  electronic_arts: 'ea',
  gemini: 'googlegemini',
  gog: 'gogdotcom',
  icloud_private_relay: 'icloud',
  itch_io: 'itchdotio',
  mail_ru: 'maildotru',
  mistral: 'mistralai',
  ok: 'odnoklassniki',
  playstore: 'googleplay',
  spotify_video: 'spotify',
  tor: 'torproject',
  twitter: 'x',
  weibo: 'sinaweibo',
};

const isIcon = (member: object): member is SimpleIcon => 'slug' in member && 'path' in member;

const MAX_COLUMNS = 120;
const SHORT_KEY = 5;

/** SVG paths of the icons of our web services, out of the three thousand icons of simple-icons (CC0). */
export function serviceIconsSource(): string {
  const pathOfSlug = new Map(
    Object.values<object>(simpleIcons)
      .filter(isIcon)
      // A few icons have other licences than CC0.
      .filter(({ license }) => license === undefined)
      .map(({ slug, path }) => [slug, path]),
  );
  const icons = Object.values(serviceRows)
    .flatMap((rows) => Object.keys(rows))
    .map((id) => [id, pathOfSlug.get(slugOfService[id] ?? id.replaceAll('_', ''))] as const)
    .filter((icon): icon is readonly [string, string] => icon[1] !== undefined);
  return `// Made by scripts/generate.ts from simple-icons (CC0); do not edit.

/** SVG paths of web services in a view box of 24 by 24; services without one get a monogram. */
export const serviceIcons: Readonly<Record<string, string>> = {
${icons.map(([id, path]) => member(/^\d/.test(id) ? `'${id}'` : id, path)).join('\n')}
};
`;
}

/** Formatted as Biome does it: a long value goes on the next line, unless the key is short. */
function member(key: string, path: string): string {
  const line = `  ${key}: '${path}',`;
  return line.length <= MAX_COLUMNS || key.length < SHORT_KEY ? line : `  ${key}:\n    '${path}',`;
}
