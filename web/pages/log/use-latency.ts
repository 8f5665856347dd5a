import { useCallback } from 'react';
import { useFormat } from '../../components/format.tsx';

const common: Intl.NumberFormatOptions = { style: 'unit', maximumFractionDigits: 1 };
const milliseconds: Intl.NumberFormatOptions = { ...common, unit: 'millisecond' };
const seconds: Intl.NumberFormatOptions = { ...common, unit: 'second', unitDisplay: 'narrow' };
const SECOND_MS = 1000;

/** Text of a latency; empty if it is unknown, as in rows of earlier versions. */
export function useLatency(): (ms: number | undefined) => string {
  const { number } = useFormat();
  return useCallback(
    (ms) => {
      if (ms === undefined) return '';
      // The column of the query log has room for three digits.
      return ms < SECOND_MS ? number(ms, milliseconds) : number(ms / SECOND_MS, seconds);
    },
    [number],
  );
}
