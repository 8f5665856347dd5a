import { isObject } from '../kit/is-object.ts';
import type { ChangeCounts } from './list-changes.ts';
import type { Shrunk } from './sanity-check.ts';

/** Validator of a source, used to revalidate it at the next check. */
export type Seen =
  | {
      readonly kind: 'url';
      readonly source: string;
      /** Final URL after redirects; the validator is valid only there. */
      readonly url: string;
      readonly etag?: string;
      readonly lastModified?: string;
    }
  | { readonly kind: 'file'; readonly source: string; readonly stamp: string };

/** A usable version of a list; its files are in the list's folder under this name. */
export type Version = {
  /** Checksum of its text. */
  readonly name: string;
  /** The source it was read from. */
  readonly source: string;
  readonly fetchedAt: number;
  readonly rules: number;
  /** Rules that a DNS filter does not support, and invalid lines. */
  readonly ignored: number;
  readonly invalid: number;
  /** Size of the table in memory, and of the text on disk. */
  readonly bytes: number;
  readonly textBytes: number;
  /** Changes compared with the previous version, if it was from the same source. */
  readonly changes?: ChangeCounts | undefined;
};

export type Problem = {
  /** `failed`: nothing could be read. `not used`: the new version was rejected, the active one stays in use. */
  readonly kind: 'failed' | 'not used';
  readonly why: string;
  readonly since: number;
  /** Consecutive checks with this problem. */
  readonly times: number;
  /** The last check failed because the source was too slow. */
  readonly isSlow?: boolean | undefined;
};

/** Persistent state of a list. Times are wall-clock milliseconds. */
export type ListState = {
  readonly id: string;
  readonly inUse?: Version | undefined;
  /** Validators of the active version; undefined if one of its sources has none. */
  readonly seen?: readonly Seen[] | undefined;
  /** When the source last confirmed the active version. */
  readonly checkedAt?: number | undefined;
  readonly triedAt?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly shrunk?: Shrunk | undefined;
  readonly unusedSince?: number | undefined;
};

// Version of the layout; states in other layouts are ignored.
const LAYOUT = 1;

export const stateText = (state: ListState): string =>
  `${JSON.stringify({ layout: LAYOUT, ...state }, undefined, 2)}\n`;

/** Undefined for an invalid state; the list is then fetched like a new one. */
export function parseState(text: string): ListState | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['layout'] !== LAYOUT || typeof value['id'] !== 'string') return undefined;
  const { layout: _, ...state } = value;
  const parts = ['inUse', 'problem', 'shrunk'].map((name) => state[name]);
  if (!parts.every((part) => part === undefined || isObject(part))) return undefined;
  const found = state as unknown as ListState;
  return found.inUse && !isVersion(found.inUse) ? undefined : found;
}

/** Checked, because only checksums are safe as file names. */
const isVersion = ({ name, rules, fetchedAt, source, changes }: Version): boolean =>
  /^[0-9a-f]{64}$/.test(name) &&
  Number.isInteger(rules) &&
  Number.isFinite(fetchedAt) &&
  typeof source === 'string' &&
  (changes === undefined || (Number.isInteger(changes?.added) && Number.isInteger(changes.removed)));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
