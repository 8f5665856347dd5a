import { isObject } from '../kit/is-object.ts';
import type { Shrunk } from './sanity-check.ts';

/** What a source called the version that was read of it, so that the next check can ask whether it still holds. */
export type Seen =
  | {
      readonly kind: 'url';
      readonly source: string;
      /** Where it was found after redirects: only that address can say. */
      readonly url: string;
      readonly etag?: string;
      readonly lastModified?: string;
    }
  | { readonly kind: 'file'; readonly source: string; readonly stamp: string };

/** A version of a list that can be used: its files lie in the list's folder under its name. */
export type Version = {
  /** The checksum of its text. */
  readonly name: string;
  /** Where it came from. */
  readonly source: string;
  readonly fetchedAt: number;
  readonly rules: number;
  /** Lines that are rules, but not for a DNS filter, and lines that are none. */
  readonly ignored: number;
  readonly invalid: number;
  /** Of its table in memory, and of its text on disk. */
  readonly bytes: number;
  readonly textBytes: number;
};

export type Problem = {
  /** `failed`: nothing could be read. `not used`: what was read must not take the place of what is in use. */
  readonly kind: 'failed' | 'not used';
  readonly why: string;
  readonly since: number;
  /** Checks in a row that ended so. */
  readonly times: number;
  /** The last of them failed because the source took too long. */
  readonly isSlow?: boolean | undefined;
};

/** What is remembered of a list from one run to the next. Times are by the wall clock, in milliseconds. */
export type ListState = {
  readonly id: string;
  readonly inUse?: Version | undefined;
  /** What the version in use was read from; undefined when one of its sources does not say. */
  readonly seen?: readonly Seen[] | undefined;
  /** When the source last said that the version in use is the current one. */
  readonly checkedAt?: number | undefined;
  readonly triedAt?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly shrunk?: Shrunk | undefined;
  readonly unusedSince?: number | undefined;
};

// Changes with the layout, so that another version's files are strangers and not puzzles.
const LAYOUT = 1;

export const stateText = (state: ListState): string =>
  `${JSON.stringify({ layout: LAYOUT, ...state }, undefined, 2)}\n`;

/** Undefined for what is none of ours: then nothing is remembered, and the list is fetched as if it were new. */
export function parseState(text: string): ListState | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['layout'] !== LAYOUT || typeof value['id'] !== 'string') return undefined;
  const { layout: _, ...state } = value;
  const parts = ['inUse', 'problem', 'shrunk'].map((name) => state[name]);
  if (!parts.every((part) => part === undefined || isObject(part))) return undefined;
  const found = state as unknown as ListState;
  return found.inUse && !isVersion(found.inUse) ? undefined : found;
}

/** A name that is no checksum could lead to any file. */
const isVersion = ({ name, rules, fetchedAt, source }: Version): boolean =>
  /^[0-9a-f]{64}$/.test(name) && Number.isInteger(rules) && Number.isFinite(fetchedAt) && typeof source === 'string';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
