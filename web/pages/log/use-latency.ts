import { useCallback } from 'react';
import { useFormat } from '../../components/format.tsx';

const milliseconds: Intl.NumberFormatOptions = { style: 'unit', unit: 'millisecond', maximumFractionDigits: 1 };

/** Text of a latency; empty if it is unknown, as in rows of earlier versions. */
export function useLatency(): (ms: number | undefined) => string {
  const { number } = useFormat();
  return useCallback((ms) => (ms === undefined ? '' : number(ms, milliseconds)), [number]);
}
