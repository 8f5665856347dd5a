import { randomFillSync } from 'node:crypto';
import { classes, types } from '../../dns/numbers.ts';
import { openUpstreams } from '../../resolver/upstream/open-upstreams.ts';
import { readUpstreamSettings } from '../../resolver/upstream/upstream-settings.ts';

export type AskedServer =
  | { readonly kind: 'answer'; readonly ms: number }
  | { readonly kind: 'failed'; readonly why: string };

const ROOT = new Uint8Array(1);
const TIMEOUT_MS = 3000;

/** Queries a server, in the format of the setting `upstream`, for the NS records of the root zone. REFUSED counts as an answer. */
export async function askServer(text: string, bootstrap: readonly string[]): Promise<AskedServer> {
  const read = readUpstreamSettings({ upstreams: [text], bootstrap, timeoutMs: TIMEOUT_MS }, { listening: [] });
  if (!read.ok) return { kind: 'failed', why: read.error.join('; ') };
  const upstreams = openUpstreams(read.value, {
    now: () => performance.now(),
    randomFill: (bytes) => void randomFillSync(bytes),
    log: () => undefined,
  });
  const begun = performance.now();
  const question = { name: ROOT, type: types.NS, class: classes.IN, dnssecOk: false, checkingDisabled: false };
  const answer = await upstreams.resolve(question);
  await upstreams.stop();
  if (answer.kind === 'failed' && answer.why !== 'refused') return { kind: 'failed', why: plainText(answer.detail) };
  return { kind: 'answer', ms: Math.round(performance.now() - begun) };
}

/** Strips the numbers and file names that OpenSSL adds to messages. */
export const plainText = (detail: string): string =>
  detail.replace(/^[0-9A-F]*:error:[^:]*:[^:]*:[^:]*:([^:]*):.*$/s, '$1').trim();
