import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '../platform/version.ts';
import { httpMetrics } from './http-metrics.ts';

/** The reported lag includes this interval; with 2 ms the thread woke up 500 times a second. */
export const EVENT_LOOP_INTERVAL_MS = 20;

/** Prometheus metrics of the service. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_INTERVAL_MS });
  // Gauges whose names end like those of counters.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const registers = [registry];
  new Gauge({
    name: 'weir_build_info',
    help: 'Version of Weir and of Node.js; the value is 1.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1);
  return {
    registry,
    http: httpMetrics(registry),
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
