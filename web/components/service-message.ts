import i18next from 'i18next';
import { sourceText } from './decision-source.ts';
import { messageTemplates } from './service-message-templates.ts';

type MessageKey = (typeof messageTemplates)[number][1];
type Match = { readonly key: MessageKey; readonly values: Readonly<Record<string, string>> };

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/(\{\{\w+\}\})/)
      .map(partPattern)
      .join('')}$`,
    's',
  );
const partPattern = (part: string): string => {
  const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
  return name === undefined ? escaped(part) : `(?<${name}>.*?)`;
};

const fixed = new Map<string, MessageKey>();
const patterns: { readonly pattern: RegExp; readonly key: MessageKey }[] = [];
for (const [template, key] of messageTemplates)
  if (template.includes('{{')) patterns.push({ pattern: patternOf(template), key });
  else fixed.set(template, key);

/** The key and the values of a message of the service. */
export function matchMessage(message: string): Match | undefined {
  const key = fixed.get(message);
  if (key !== undefined) return { key, values: {} };
  for (const { pattern, key } of patterns) {
    const found = pattern.exec(message);
    if (found) return { key, values: { ...found.groups } };
  }
  return undefined;
}

/** A message of the service in the language of the page, or as it is if it has no translation. */
export function serviceMessage(message: string): string {
  const match = matchMessage(message);
  if (!match) return message;
  const { reason, source, rule, ...values } = match.values;
  return i18next.t(`messages:${match.key}`, {
    ...values,
    ...(reason !== undefined && { reason: serviceMessage(reason) }),
    ...(source !== undefined && { source: sourceText(source) }),
    ...(rule !== undefined && { rule: isolated(rule) }),
  });
}

/** Text of another direction, in directional isolates of Unicode. */
const isolated = (text: string): string => `\u2068${text}\u2069`;
