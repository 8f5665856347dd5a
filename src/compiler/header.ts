import type { Configuration, Source } from './configuration.ts';

export type HeaderFacts = {
  readonly timestamp: Date;
  readonly compiledBy: string;
  /** Sources that are missing or stale, shown in the header. */
  readonly annotations: readonly string[];
};

/** Header of the list; transformations do not apply to it. */
export function listHeader(
  configuration: Configuration,
  { timestamp, compiledBy, annotations }: HeaderFacts,
): string[] {
  const { name, description, version, homepage, license } = configuration;
  return [
    '!',
    annotation('Title', name),
    ...(description ? [annotation('Description', description)] : []),
    ...(version ? [annotation('Version', version)] : []),
    ...(homepage ? [annotation('Homepage', homepage)] : []),
    ...(license ? [annotation('License', license)] : []),
    annotation('Last modified', timestamp.toISOString()),
    ...annotations.map((text) => `! ${oneLine(text)}`),
    '!',
    `! Compiled by ${compiledBy}`,
    '!',
  ];
}

/** Header of each source; an ordinary comment for transformations of the whole list. */
export function sourceHeader({ name, source }: Source, inline: boolean): string[] {
  return [
    '!',
    ...(name ? [annotation('Source name', name)] : []),
    annotation('Source', inline ? 'inline rules' : source),
    '!',
  ];
}

const annotation = (label: string, value: string): string => `! ${label}: ${oneLine(value)}`;

/** A line break would end the comment and turn the rest into rules. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');
