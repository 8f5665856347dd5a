/** SQL text of values. Statements are plain text, because an insert with its rows may be stored and resent unchanged. */
export const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Values of the type DateTime64 end in 2299. */
const MAX_TIME = Date.UTC(2299, 0);

export const timeSql = (time: number): string =>
  `fromUnixTimestamp64Milli(${Math.trunc(Math.min(Math.max(time, 0), MAX_TIME))}::Int64, 'UTC')`;

/** Condition that a column has one of the values; an empty string in a column means a missing value and never matches. */
export function isOneOf(column: string, values: readonly string[] | undefined): readonly string[] {
  if (!values || values.length === 0) return [];
  const wanted = values.filter((value) => value !== '');
  return [wanted.length === 0 ? 'false' : `${column} IN (${wanted.map(quoted).join(', ')})`];
}

export const allOf = (conditions: readonly string[]): string => conditions.join(' AND ');
