import type { LogItem } from '../../api/log-wire.ts';

export type Category = LogItem['category_type'];

export const categories = ['ADS', 'TRACKERS', 'SOCIAL_MEDIA', 'CDN', 'OTHERS'] as const satisfies readonly Category[];
