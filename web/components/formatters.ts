const cache = new Map<string, Formatters>();
type Formatters = ReturnType<typeof createFormatters>;

/**
 * Number and time formatters of a language. Creating an Intl formatter is about a hundred times slower than using it, so
 * they are cached.
 */
export function formattersFor(language: string): Formatters {
  const formatters = cache.get(language) ?? createFormatters(language);
  cache.set(language, formatters);
  return formatters;
}

/**
 * The regional variant of the page's language that the browser prefers: dates are 05/11 in en-GB and 11/05 in en-US.
 * Digits and calendar are those of addresses, counts and logs.
 */
function localeOf(language: string): string {
  const prefix = `${language.toLowerCase()}-`;
  const tag = globalThis.navigator?.languages.find((tag) => tag.toLowerCase().startsWith(prefix)) ?? language;
  return new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' }).toString();
}

function createFormatters(language: string) {
  const locale = localeOf(language);
  const numbers = new Map<string, Intl.NumberFormat>();
  const times = new Map<string, Intl.DateTimeFormat>();
  let relative: Intl.RelativeTimeFormat | undefined;
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    cached(numbers, options, () => new Intl.NumberFormat(locale, options)).format(value);
  return {
    number,
    short: (value: number): string => number(value, compact),
    share: (value: number): string => number(value, percent),
    time: (millis: number, options: Intl.DateTimeFormatOptions = defaultTime): string =>
      cached(times, options, () => new Intl.DateTimeFormat(locale, options)).format(millis),
    relative: (value: number, unit: Intl.RelativeTimeFormatUnit): string => {
      relative ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
      return relative.format(value, unit);
    },
  };
}

const compact: Intl.NumberFormatOptions = { notation: 'compact', maximumFractionDigits: 1 };
const percent: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: 1 };
const defaultTime: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };

function cached<Format>(formats: Map<string, Format>, options: object, create: () => Format): Format {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? create();
  formats.set(key, format);
  return format;
}
