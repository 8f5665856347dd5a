import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeUserAgent } from './user-agent.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const cases: readonly (readonly [string, string | undefined, string | undefined])[] = [
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox 130', 'Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/129.0.0.0 Safari/537.36`, 'Chrome 129', 'Linux'],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/129.0.0.0 Safari/537.36 Edg/128.0.1`, 'Edge 128', 'Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
    'Safari 17',
    'iOS',
  ],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/129.0.0.0 Mobile Safari/537.36`, 'Chrome 129', 'Android'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari 18',
    'macOS',
  ],
  ['curl/8.5.0', 'curl 8.5', undefined],
  ['HomeAssistant/2026.11.1 aiohttp/3.10 Python/3.12', 'HomeAssistant 2026.11', undefined],
  ['node', 'node', undefined],
  ['Mozilla/5.0', undefined, undefined],
  ['', undefined, undefined],
  ['<script>', undefined, undefined],
];

for (const [text, program, system] of cases)
  test(`${text.slice(0, 60)} is ${program ?? 'unknown'} on ${system ?? 'an unknown system'}`, () => {
    const described = describeUserAgent(text);
    assert.deepEqual([described.program, described.system], [program, system]);
  });
