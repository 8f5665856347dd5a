const known = new Map<string, Formats>();
type Formats = ReturnType<typeof makeFormats>;

/** How a language writes numbers and times. To make a format takes longer than to use it a hundred times: each is made once. */
export function formatsOf(language: string): Formats {
  const formats = known.get(language) ?? makeFormats(language);
  known.set(language, formats);
  return formats;
}

/** The language of the page as it is written where the browser is: the fifth of November is 05/11 in Britain. */
const localeOf = (language: string): string =>
  globalThis.navigator?.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? language;

function makeFormats(language: string) {
  const locale = localeOf(language);
  const numbers = new Map<string, Intl.NumberFormat>();
  const times = new Map<string, Intl.DateTimeFormat>();
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    made(numbers, options, () => new Intl.NumberFormat(locale, options)).format(value);
  return {
    number,
    short: (value: number): string => number(value, compact),
    share: (value: number): string => number(value, percent),
    time: (millis: number, options: Intl.DateTimeFormatOptions = usualTime): string =>
      made(times, options, () => new Intl.DateTimeFormat(locale, options)).format(millis),
  };
}

const compact: Intl.NumberFormatOptions = { notation: 'compact', maximumFractionDigits: 1 };
const percent: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: 1 };
const usualTime: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };

function made<Format>(kept: Map<string, Format>, options: object, make: () => Format): Format {
  const key = JSON.stringify(options);
  const format = kept.get(key) ?? make();
  kept.set(key, format);
  return format;
}
