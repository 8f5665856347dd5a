import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyCode, latencyMs, NOT_MEASURED } from './latency.ts';

test('latencies are exact below 100 ms and rounded to two digits above', () => {
  for (let ms = 0; ms <= 12_000; ms += 1) {
    const code = latencyCode(ms);
    assert.ok(code > 0 && code <= 0xff, `${ms}`);
    const expected = ms < 100 ? ms : Math.min(7400, Number(ms.toPrecision(2)));
    assert.equal(latencyMs(code), expected, `${ms}`);
  }
  assert.equal(latencyCode(undefined), NOT_MEASURED);
  assert.equal(latencyMs(NOT_MEASURED), null);
});
