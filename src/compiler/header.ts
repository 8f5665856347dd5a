import type { Configuration, Source } from './configuration.ts';

export type HeaderFacts = {
  readonly timestamp: Date;
  readonly compiledBy: string;
  /** What the list lacks or has only in an old state: whoever reads it must be able to know. */
  readonly remarks: readonly string[];
};

/** What stands above the list. No transformation ever sees it. */
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

/** What stands above the rules of each source; to the transformations of the whole list it is comments like others. */
export function sourceHeader({ name, source }: Source, inline: boolean): string[] {
  return ['!', ...(name ? [remark('Source name', name)] : []), remark('Source', inline ? 'inline rules' : source), '!'];
}

const remark = (label: string, value: string): string => `! ${label}: ${oneLine(value)}`;

/** A line break would end the comment and make rules of the rest. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');
