import type { CompileEvent } from '../compiler/index.ts';
import { shorten } from './number-text.ts';

/** Measures sources and steps by their events. */
export function measureDurations(now = (): number => performance.now()) {
  const startedAt = now();
  const sources = new Map<number, { readonly name: string; readonly at: number }>();
  const lines: string[] = [];
  let stepAt = startedAt;
  const add = (what: string, ms: number): number => lines.push(`  ${ms.toFixed(1).padStart(10)} ms  ${what}`);
  return {
    note(event: CompileEvent): void {
      if (event.kind === 'source started')
        sources.set(event.index, { name: shorten(event.source.name ?? event.source.source, 80), at: now() });
      if (event.kind === 'source finished') {
        const { name, at } = sources.get(event.index)!;
        add(`read ${name}`, now() - at);
      }
      if (event.kind === 'step started') stepAt = now();
      if (event.kind === 'step finished')
        add(`${event.step}${event.index === undefined ? '' : ` of source ${event.index + 1}`}`, now() - stepAt);
    },
    text: (): string =>
      ['Durations:', ...lines, `  ${(now() - startedAt).toFixed(1).padStart(10)} ms  total`].join('\n'),
  };
}
