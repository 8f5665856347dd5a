import { useFormat } from '../../components/format.tsx';

const ofRow: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
};

export function useRowTime(): (millis: number) => string {
  const { time } = useFormat();
  return (millis) => time(millis, ofRow);
}
