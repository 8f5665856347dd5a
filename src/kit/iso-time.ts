import { DAY_MS } from './durations.ts';

/** Formats times as ISO 8601. Caches the formatted day, the expensive part. */
export function isoTimes(): (time: number) => string {
  let [cachedDay, text] = [Number.NaN, ''];
  return (time) => {
    const day = Math.floor(time / DAY_MS);
    if (day !== cachedDay) {
      text = new Date(day * DAY_MS).toISOString().slice(0, -13);
      cachedDay = day;
    }
    const ms = time - day * DAY_MS;
    const [seconds, minutes, hours] = [Math.floor(ms / 1000), Math.floor(ms / 60_000), Math.floor(ms / 3_600_000)];
    return `${text}${two[hours]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[ms % 1000]}`;
  };
}

const numbersOf = (digits: number): readonly string[] =>
  Array.from({ length: 10 ** digits }, (_, number) => String(number).padStart(digits, '0'));
const two = numbersOf(2);
const three = numbersOf(3);
