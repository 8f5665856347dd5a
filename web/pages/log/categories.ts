import type { LogItem } from '../../api/wire.ts';

export type Category = LogItem['category_type'];

export const categories = ['ADS', 'TRACKERS', 'SOCIAL_MEDIA', 'CDN', 'OTHERS'] as const satisfies readonly Category[];
