import { messageOf } from '../../kit/message-of.ts';
import { pick } from '../lines/blocks.ts';
import { addLine, addLines, createLines, type Lines, lineText } from '../lines/lines.ts';
import { readLines } from '../lines/read-lines.ts';
import { isDirective, resolveConditions } from './conditions.ts';
import type { Content } from './read-source.ts';
import { isUrl } from './read-source.ts';

const DIFF_PATH_WITHIN = 50;
const INCLUDE = '!#include';

/** A loaded list; its location and kind decide how its includes are resolved. */
export type Found = { readonly source: string; readonly kind: Content['kind'] };

export type ReadInclude = (source: string) => Promise<Content>;

export type IncludeLimits = { readonly maxDepth: number; readonly maxIncludes: number };

// Limits the expansion: ten files that include each other ten times would expand to 10^10 includes.
const usualLimits: IncludeLimits = { maxDepth: 10, maxIncludes: 1000 };

type Including = { readonly read: ReadInclude; readonly maxDepth: number };

/** Lines of a list with conditions evaluated and includes inserted. */
export async function preprocess(
  lines: Lines,
  found: Found,
  read: ReadInclude,
  { maxDepth, maxIncludes }: IncludeLimits = usualLimits,
): Promise<Lines> {
  let included = 0;
  const readCounted: ReadInclude = (source) => {
    if (++included > maxIncludes) throw new Error(`more than ${maxIncludes} includes`);
    return read(source);
  };
  return resolveAll(lines, [found], { read: readCounted, maxDepth });
}

async function resolveAll(lines: Lines, chain: readonly Found[], including: Including): Promise<Lines> {
  if (!hasDirectives(lines)) return lines;
  const chosen = resolveConditions(lines);
  const all = createLines(lines.text, chosen.count);
  for (let at = 0; at < chosen.count; at++) {
    const directive = isDirective(chosen, at) ? lineText(chosen, at) : '';
    if (directive.startsWith(INCLUDE)) {
      const included = await include(directive, all, chosen.source[at]!, chain, including);
      // Included lines are reported with the number of the including line in the user's source.
      included.number.fill(chosen.number[at]!, 0, included.count);
      addLines(all, included);
    } else {
      addLine(all, chosen.start[at]!, chosen.end[at]!, chosen.source[at]!, chosen.number[at]!);
    }
  }
  return all;
}

function hasDirectives(lines: Lines): boolean {
  return pick(lines, 'pickMarked').some((at) => isDirective(lines, at));
}

async function include(
  directive: string,
  { text }: Lines,
  source: number,
  chain: readonly Found[],
  including: Including,
): Promise<Lines> {
  const { read, maxDepth } = including;
  try {
    const target = resolveInclude(chain.at(-1)!, directive.slice(INCLUDE.length).trim());
    const names = [...chain.map((found) => found.source), target].join(' -> ');
    if (chain.some((found) => found.source === target)) throw new Error(`the lists include each other: ${names}`);
    if (chain.length > maxDepth) throw new Error(`includes are nested more than ${maxDepth} deep: ${names}`);
    const content = await read(target);
    const lines = withoutDiffPath(readLines(text, content.bytes, source));
    return await resolveAll(lines, [...chain, { source: target, kind: content.kind }], including);
  } catch (error) {
    throw new Error(`Failed to resolve the include directive '${directive}': ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Resolves an include by joining strings, like the original: paths are relative to the folder of the including list, a list
 * without a folder may include anything, and a remote list only files on its own server.
 */
export function resolveInclude({ source, kind }: Found, path: string): string {
  if (path === '') throw new Error('no path follows it');
  if (kind === 'url') return resolveRemote(source, path);
  if (kind === 'inline' || kind === 'named' || !source.includes('/')) return path;
  const folder = source.slice(0, source.lastIndexOf('/'));
  if (isUrl(path)) throw new Error(`Invalid url: '${folder}' is a folder of this machine, and ${path} is not in it`);
  return `${folder}/${path}`;
}

function resolveRemote(list: string, path: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    const { origin } = new URL(path);
    if (origin === new URL(list).origin) return path;
    throw new Error(`Include url is rejected with origin: ${origin}; a list may only include from its own server`);
  }
  const address = list.trim().replace(/[?#].*$/s, '');
  const hostEnd = address.indexOf('/', address.indexOf('://') + 3);
  return `${hostEnd === -1 ? address : address.slice(0, address.lastIndexOf('/'))}/${path}`;
}

/** `Diff-Path` refers to the included file and would be wrong in the including list. */
function withoutDiffPath(lines: Lines): Lines {
  const remaining = createLines(lines.text, lines.count);
  for (let at = 0; at < lines.count; at++) {
    if (at < DIFF_PATH_WITHIN && lineText(lines, at).trim().startsWith('! Diff-Path:')) continue;
    addLine(remaining, lines.start[at]!, lines.end[at]!, lines.source[at]!, lines.number[at]!);
  }
  return remaining;
}
