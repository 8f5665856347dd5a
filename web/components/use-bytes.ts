import { useFormat } from './format.tsx';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes with a unit. */
export function useBytes(): (bytes: number) => string {
  const { number } = useFormat();
  return (bytes) => {
    const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
    return number(bytes / 1000 ** power, {
      style: 'unit',
      unit: units[power]!,
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumFractionDigits: 1,
    });
  };
}
