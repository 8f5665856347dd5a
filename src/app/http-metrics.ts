import { Counter, type Registry } from 'prom-client';
import { latencyBucket } from '../kit/latency-buckets.ts';
import { registerHistogram } from './metric-histogram.ts';

// A compilation may take a minute.
const bucketsMs = [1, 5, 20, 100, 500, 2000, 10_000, 60_000];

type ByStatus = { readonly method: string; readonly status: number; count: number };
type Route = { readonly responses: Map<string, ByStatus>; readonly buckets: number[]; sumMs: number };

type HttpResponse = { readonly method: string; readonly status: number; readonly ms: number };
type RouteRecorder = (response: HttpResponse) => void;

/** Metrics of HTTP requests. Labels are created when metrics are collected, because prom-client would create them for each request. */
export function httpMetrics(registry: Registry) {
  const routes = new Map<string, Route>();
  new Counter({
    name: 'weir_http_requests_total',
    help: 'HTTP requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { responses }] of routes)
        for (const { method, status, count } of responses.values()) this.inc({ method, route, status }, count);
    },
  });
  const histogram = { labels: ['route'], bucketsMs, read: async () => [...routes].flatMap(sampleOf) };
  registerHistogram(registry, {
    name: 'weir_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route.',
    ...histogram,
  });
  registerHistogram(registry, {
    name: 'weir_http_request_seconds',
    help: 'Deprecated: use weir_http_request_duration_seconds. Removed in the next version.',
    ...histogram,
  });
  return {
    /** Counts the responses of a route. */
    recorderOf: (name: string): RouteRecorder => {
      const route = routes.get(name) ?? {
        responses: new Map(),
        buckets: Array(bucketsMs.length + 1).fill(0),
        sumMs: 0,
      };
      routes.set(name, route);
      return ({ method, status, ms }) => {
        const key = `${method} ${status}`;
        const byStatus = route.responses.get(key) ?? { method, status, count: 0 };
        route.responses.set(key, byStatus);
        byStatus.count += 1;
        route.buckets[latencyBucket(ms, bucketsMs)]! += 1;
        route.sumMs += ms;
      };
    },
  };
}

/** Routes without a request have no sample. */
const sampleOf = ([route, { responses, buckets, sumMs }]: [string, Route]) =>
  responses.size === 0 ? [] : [{ labels: { route }, buckets, sumMs }];
