import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from '../../dns/numbers.ts';
import { createDecider } from '../../engine/match/decide.ts';
import { composeProfile } from '../../engine/match/profile.ts';
import { wireName } from '../../kit/wire-name.ts';
import { safeSearchRules, youtubeRules } from './safe-search.ts';
import { tableFromRules } from './table-from-rules.ts';

const secret = Uint8Array.of(3, 1, 4, 1, 5, 9, 2, 6);
const lines = (text: string): readonly string[] => text.trimEnd().split('\n');
const profile = composeProfile([
  { source: 'safe search', tables: [tableFromRules('safe search', lines(safeSearchRules()), secret)!] },
  { source: 'youtube', tables: [tableFromRules('youtube', lines(youtubeRules()), secret)!] },
]);
const decider = createDecider(secret);

const targetOf = (name: string, type: number = types.A): string | undefined => {
  const { kind, rewrite } = decider.decide({ name: wireName(name)!, at: 0, type }, profile);
  return kind === 'rewrite' && rewrite?.kind === 'cname' ? rewrite.target : undefined;
};

const rows: readonly (readonly [name: string, target: string | undefined])[] = [
  ['www.google.com', 'forcesafesearch.google.com'],
  ['WWW.Google.co.UK', 'forcesafesearch.google.com'],
  ['www.google.de', 'forcesafesearch.google.com'],
  ['www.google.cat', 'forcesafesearch.google.com'],
  ['mail.google.com', undefined],
  ['x.www.google.com', undefined],
  ['www.google.example', undefined],
  ['www.bing.com', 'strict.bing.com'],
  ['duckduckgo.com', 'safe.duckduckgo.com'],
  ['start.duckduckgo.com', 'safe.duckduckgo.com'],
  ['yandex.ru', 'familysearch.yandex.ru'],
  ['www.yandex.com.tr', 'familysearch.yandex.ru'],
  ['ya.ru', 'familysearch.yandex.ru'],
  ['www.yandex.de', 'familysearch.yandex.ru'],
  ['xn--d1acpjx3f.xn--p1ai', 'familysearch.yandex.ru'],
  ['mail.yandex.ru', undefined],
  ['pixabay.com', 'safesearch.pixabay.com'],
  ['search.brave.com', 'forcesafe.search.brave.com'],
  ['www.ecosia.org', 'strict-safe-search.ecosia.org'],
  ['www.youtube.com', 'restrictmoderate.youtube.com'],
  ['m.youtube.com', 'restrictmoderate.youtube.com'],
  ['youtubei.googleapis.com', 'restrictmoderate.youtube.com'],
  ['youtube.googleapis.com', 'restrictmoderate.youtube.com'],
  ['www.youtube-nocookie.com', 'restrictmoderate.youtube.com'],
  ['music.youtube.com', undefined],
];
for (const [name, target] of rows) {
  test(`${name} ${target ? `leads to ${target}` : 'is left alone'}`, () => {
    assert.equal(targetOf(name), target);
  });
}

test('every type leads there, so that no other record leads past it', () => {
  for (const type of [types.A, types.AAAA, types.HTTPS, types.TXT])
    assert.equal(targetOf('www.google.com', type), 'forcesafesearch.google.com');
});

test('where it leads is not led on', () => {
  const targets = new Set(lines(safeSearchRules() + youtubeRules()).map((line) => line.split(';')[2]!));
  assert.equal(targets.size, 8);
  for (const target of targets) assert.equal(targetOf(target), undefined, target);
});
