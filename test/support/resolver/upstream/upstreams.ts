import { randomFillSync } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { UpstreamEvent } from '../../../../src/resolver/upstream/member.ts';
import { type OpenUpstreamsDeps, openUpstreams } from '../../../../src/resolver/upstream/open-upstreams.ts';
import type { Listener } from '../../../../src/resolver/upstream/self-addresses.ts';
import { readUpstreamSettings, type UpstreamTexts } from '../../../../src/resolver/upstream/upstream-settings.ts';
import { now } from './one-upstream.ts';

/** Upstreams as the resolver opens them, with their log. */
export function openAll(
  t: TestContext,
  texts: UpstreamTexts,
  { listening = [], ...more }: Partial<OpenUpstreamsDeps> & { readonly listening?: readonly Listener[] } = {},
) {
  const settings = readUpstreamSettings(texts, { listening, systemServers: [] });
  if (!settings.ok) throw new Error(settings.error.join('\n'));
  const events: UpstreamEvent[] = [];
  const upstreams = openUpstreams(settings.value, {
    now,
    randomFill: randomFillSync,
    log: (event) => void events.push(event),
    ...more,
  });
  t.after(() => upstreams.stop());
  return {
    ...upstreams,
    events,
    statusOf: (text: string) => upstreams.status().upstreams.find(({ upstream }) => upstream === text)!,
  };
}
