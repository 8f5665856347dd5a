import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEncoding } from './encodings.ts';

const chosen: readonly (readonly [string | undefined, string])[] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['deflate', 'identity'],
  ['*', 'zstd'],
  ['gzip;q=0.5, br;q=0.4', 'gzip'],
  ['zstd;q=0, *', 'br'],
  ['gzip;q=0', 'identity'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0, *;q=0', 'identity'],
  ['gzip;q=x', 'identity'],
  [',,;q=1, gzip ;  q=1', 'gzip'],
];

test('a client gets the encoding that it prefers', () => {
  for (const [accepted, encoding] of chosen) assert.equal(chooseEncoding(accepted), encoding, accepted);
});
