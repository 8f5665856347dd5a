import type { Configuration, Source } from './configuration.ts';

export type HeaderFacts = {
  readonly timestamp: Date;
  readonly compiledBy: string;
  /** Sources that are missing or stale, shown in the header. */
  readonly remarks: readonly string[];
};

/** Header of the list; transformations do not apply to it. */
export function listHeader(configuration: Configuration, { timestamp, compiledBy, remarks }: HeaderFacts): string[] {
  const { name, description, version, homepage, license } = configuration;
  return [
    '!',
    remark('Title', name),
    ...(description ? [remark('Description', description)] : []),
    ...(version ? [remark('Version', version)] : []),
    ...(homepage ? [remark('Homepage', homepage)] : []),
    ...(license ? [remark('License', license)] : []),
    remark('Last modified', timestamp.toISOString()),
    ...remarks.map((text) => `! ${oneLine(text)}`),
    '!',
    `! Compiled by ${compiledBy}`,
    '!',
  ];
}

/** Header of each source; an ordinary comment for transformations of the whole list. */
export function sourceHeader({ name, source }: Source, inline: boolean): string[] {
  return ['!', ...(name ? [remark('Source name', name)] : []), remark('Source', inline ? 'inline rules' : source), '!'];
}

const remark = (label: string, value: string): string => `! ${label}: ${oneLine(value)}`;

/** A line break would end the comment and turn the rest into rules. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');
