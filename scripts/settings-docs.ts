import { readFileSync } from 'node:fs';

import { schemaOf } from '../src/settings/read-setting.ts';
import { type Kind, type Setting, sections } from '../src/settings/setting-kinds.ts';
import { settingEntries, settingGroups } from '../src/settings/settings-table.ts';

/** JSON schema of the settings file, for editors, generated from the settings table. */
export function settingsSchema(): object {
  const inFiles = settingEntries.filter(([key]) => key !== 'config');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of weir serve',
    type: 'object',
    additionalProperties: false,
    properties: { ...Object.fromEntries(inFiles.flatMap(([, setting]) => propertiesOf(setting))), ...groups() },
  };
}

const groups = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    settingGroups.map((group) => {
      const members = settingEntries.filter(([, { name }]) => name.startsWith(`${group}-`));
      const properties = members.flatMap(([, setting]) => propertiesOf(setting));
      const inGroup = properties.map(([name, property]) => [name.slice(group.length + 1), property]);
      const description = `Settings whose names begin with ${group}-.`;
      return [
        group,
        { type: 'object', additionalProperties: false, description, properties: Object.fromEntries(inGroup) },
      ];
    }),
  );

function propertiesOf({ name, formerName, kind, help, default: preset }: Setting): [string, object][] {
  const property = { description: preset ? `${help} (${preset})` : help, ...valueSchema(kind) };
  if (formerName === undefined) return [[name, property]];
  return [
    [name, property],
    [formerName, { ...property, description: `Deprecated, use ${name}.`, deprecated: true }],
  ];
}

function valueSchema(kind: Kind): object {
  const { many, mayBeOne } = kind;
  const schema = schemaOf(kind);
  const list = { type: 'array', items: schema };
  if (!many) return schema;
  return mayBeOne ? { anyOf: [schema, list] } : list;
}

const BEGIN = '<!-- The tables are generated from src/settings/settings-table.ts: "npm run fix" writes them. -->\n';
const END = '<!-- End of the tables. -->\n';

/** Replaces the generated tables of the document and leaves the rest unchanged. */
export function configurationDocument(): string {
  const document = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
  const [before, rest = ''] = document.split(BEGIN);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined)
    throw new Error('docs/configuration.md lacks the marks around generated tables');
  return [before, BEGIN, ...sections.map(tableOf), '\n', END, after].join('');
}

const tableOf = (section: string): string =>
  [
    `\n### ${section}\n`,
    '| setting | value | default | |',
    '|---|---|---|---|',
    ...settingEntries.filter(([, setting]) => setting.section === section).map(([, setting]) => rowOf(setting)),
    '',
  ].join('\n');

function rowOf({ name, kind, help, default: preset }: Setting): string {
  const value = `${kind.many ? 'list of ' : ''}${kind.value}`.replaceAll('|', ', ');
  return `| \`${name}\` | ${value} | ${preset ? `\`${preset}\`` : 'none'} | ${help} |`;
}
