import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of the service. */
export function createMetrics() {
  const registry = new Registry();
  // The reported lag includes the sampling interval: a finer interval distorts it less.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 2 });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'weir_http_requests_total',
      help: 'HTTP requests by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'weir_http_request_seconds',
      help: 'Duration of HTTP requests by route.',
      labelNames: ['route'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers,
    }),
    compilations: new Counter({
      name: 'weir_compilations_total',
      help: 'Compilations by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    compileCpuSeconds: new Counter({
      name: 'weir_compile_cpu_seconds_total',
      help: 'CPU time used by compilations.',
      registers,
    }),
    /** A counter whose value is read from elsewhere. */
    counter: (name: string, help: string, read: () => number): void => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    gauge: (name: string, help: string, read: () => number): void => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
