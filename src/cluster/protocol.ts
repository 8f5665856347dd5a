import { createHmac } from 'node:crypto';
import type { FeedAccount } from '../dns-server/feed-account.ts';
import type { SafetySources } from '../filter-lists/list-request.ts';
import type { Position } from '../store/changes.ts';

/** Increased when a controller and an edge of different versions are incompatible. */
export const PROTOCOL = '1';

export const headers = {
  protocol: 'weir-protocol',
  /** The newest change in a directory. */
  position: 'weir-position',
} as const;

export const paths = {
  setup: '/internal/v1/setup',
  directory: '/internal/v1/directory',
  changes: '/internal/v1/changes',
  lists: '/internal/v1/lists',
  requests: '/internal/v1/requests',
  status: '/internal/v1/status',
  log: '/internal/v1/log',
} as const;

/** Interval of `position` events without changes. */
export const HEARTBEAT_MS = 5000;

/** Settings of the installation that an edge needs, in addition to the accounts. */
export type EdgeSetup = {
  /** The id of the edge. */
  readonly node: string;
  readonly version: string;
  /** The operator's catalogue file; null: none. */
  readonly catalogue: unknown;
  readonly safety: SafetySources;
  /** Base64. Secret of the server cookies of all nodes. */
  readonly cookieSecret: string;
  /** Secret of TLS session tickets, `value` in base64. Controllers of older versions do not send it. */
  readonly ticketSecret?: { readonly period: number; readonly value: string };
  /** Whether the controller has the texts of filter lists. */
  readonly hasLists: boolean;
};

/** One event of the stream of changes. */
export type ChangeEvent =
  | { readonly event: 'account'; readonly data: FeedAccount }
  | { readonly event: 'removed'; readonly data: { readonly id: string } }
  /** All changes up to this one were sent. */
  | { readonly event: 'position'; readonly data: { readonly position: string; readonly revision: number } }
  /** The position has expired: read the directory again. */
  | { readonly event: 'reset'; readonly data: Record<string, never> };

/**
 * The token in the URL of a list. It replaces the key, because downloads cannot send one and their URLs are logged. Valid for this list, as
 * long as the key is valid.
 * `keyHash` is the stored hash of the node key.
 */
export const listToken = (keyHash: string, list: string): string =>
  createHmac('sha256', keyHash).update(list).digest('base64url');

/**
 * Text of a change, with the format in which accounts are sent. The format differs after an upgrade or with other plans, and then all
 * accounts are read again. Does not contain the account, whose id must not remain in files after its deletion.
 */
export const positionText = ({ revision, at }: Position, form: string): string => `${revision}.${at}.${form}`;

/** Undefined for a position in another format, and for invalid text. */
export function parsePosition(text: string, form: string): Position | undefined {
  const [, revision, at, textForm] = /^(\d{1,15})\.(\d{1,15})\.(\w{1,64})$/.exec(text) ?? [];
  return revision === undefined || textForm !== form ? undefined : { revision: Number(revision), at: Number(at) };
}
