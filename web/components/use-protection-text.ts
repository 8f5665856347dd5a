import { useTranslation } from 'react-i18next';
import type { ProtectionView } from '../api/wire.ts';
import { useFormat } from './format.tsx';

const DAY_MS = 86_400_000;
const clockTime: Intl.DateTimeFormatOptions = { timeStyle: 'short' };
const dateAndTime: Intl.DateTimeFormatOptions = { dateStyle: 'short', timeStyle: 'short' };

/** The text of a protection state, with the end of a pause. */
export function useProtectionText(): (protection: Pick<ProtectionView, 'state' | 'paused_until'>) => string {
  const { t } = useTranslation('protection');
  const { time } = useFormat();
  return ({ state, paused_until: until }) => {
    if (state !== 'paused' || until === undefined) return t(`states.${state}`);
    const end = Date.parse(until);
    return t('pausedUntil', { time: time(end, end - Date.now() < DAY_MS ? clockTime : dateAndTime) });
  };
}
