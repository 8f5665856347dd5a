import { type Content, isInlineRules, isUrl, type ReadSource } from '../../../src/compiler/sources/read-source.ts';
import { utf8 } from './lines.ts';

/** Reads from a table and records the requests. */
export function readFrom(table: Readonly<Record<string, string | Content>>): { read: ReadSource; asked: string[] } {
  const asked: string[] = [];
  const read: ReadSource = async ({ source, as }) => {
    asked.push(source);
    const found = Object.hasOwn(table, source) ? table[source] : undefined;
    if (typeof found === 'object') return found;
    if (found !== undefined) return { kind: isUrl(source) ? 'url' : 'file', bytes: utf8(found) };
    if (as === 'source' && isInlineRules(source)) return { kind: 'inline', bytes: utf8(source) };
    throw new Error(`no ${source} here`);
  };
  return { read, asked };
}
