import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { httpMetrics } from './http-metrics.ts';

test('responses are counted by route, method and status, and their durations by route', async () => {
  const registry = new Registry();
  const { recorderOf } = httpMetrics(registry);
  recorderOf('/never');
  const record = recorderOf('/compile');
  record({ method: 'POST', status: 200, ms: 0.5 });
  record({ method: 'POST', status: 200, ms: 5 });
  record({ method: 'POST', status: 400, ms: 61_000 });
  // The same path is registered once for each method.
  recorderOf('/compile')({ method: 'GET', status: 404, ms: 1 });
  const read = async (): Promise<string[]> => (await registry.metrics()).split('\n');
  const first = await read();
  for (const line of [
    'weir_http_requests_total{method="POST",route="/compile",status="200"} 2',
    'weir_http_requests_total{method="POST",route="/compile",status="400"} 1',
    'weir_http_requests_total{method="GET",route="/compile",status="404"} 1',
    'weir_http_request_duration_seconds_bucket{route="/compile",le="0.001"} 2',
    'weir_http_request_duration_seconds_bucket{route="/compile",le="0.005"} 3',
    'weir_http_request_duration_seconds_bucket{route="/compile",le="60"} 3',
    'weir_http_request_duration_seconds_bucket{route="/compile",le="+Inf"} 4',
    'weir_http_request_duration_seconds_count{route="/compile"} 4',
    'weir_http_request_duration_seconds_sum{route="/compile"} 61.0065',
    'weir_http_request_seconds_count{route="/compile"} 4',
  ])
    assert.ok(first.includes(line), `${line} is missing`);
  assert.ok(!first.some((line) => line.includes('/never')));
  assert.deepEqual(await read(), first, 'reading changes nothing');
});
