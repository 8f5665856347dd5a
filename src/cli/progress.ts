import { styleText } from 'node:util';
import type { CompileEvent } from '../compiler/index.ts';
import { count, fileSize, plural, shorten } from './number-text.ts';

export type Progress = { show(event: CompileEvent): void; end(): void };
type Terminal = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
type Options = { readonly quiet: boolean; readonly verbose: boolean };

export const noProgress: Progress = { show() {}, end() {} };

/** A live display on a terminal, plain lines elsewhere, nothing with --quiet. */
export function createProgress(stream: Terminal, options: Options, now = (): number => performance.now()): Progress {
  if (options.quiet) return noProgress;
  if (stream.isTTY && process.env['TERM'] !== 'dumb') return liveProgress(stream, now);
  return { show: (event) => writeLine(stream, plainLine(event, options)), end() {} };
}

function writeLine(stream: Terminal, line: string | undefined): void {
  if (line !== undefined) stream.write(`${line}\n`);
}

function plainLine(event: CompileEvent, { verbose }: Options): string | undefined {
  switch (event.kind) {
    case 'source started':
      return `reading ${event.index + 1} of ${event.total}: ${shorten(event.source.source, 120)}`;
    case 'source retried':
      return `source ${event.index + 1}: ${event.reason}; retrying in ${(event.waitMs / 1000).toFixed(1)} s`;
    case 'source finished':
      return `source ${event.index + 1}: ${plural(event.lines, 'line')}, ${event.format}, ${fileSize(event.bytes)}`;
    case 'source failed':
      return event.skipped ? `source ${event.index + 1} is skipped: ${event.error.message}` : undefined;
    case 'step finished':
      return event.index === undefined || verbose ? stepLine(event) : undefined;
    default:
      return undefined;
  }
}

const stepLine = ({ step, index, before, after }: Extract<CompileEvent, { kind: 'step finished' }>): string =>
  `${step}${index === undefined ? '' : ` of source ${index + 1}`}: ${count(before)} -> ${count(after)}`;

type Reading = { name: string; receivedBytes: number; totalBytes: number | undefined; note: string };

const MAX_SHOWN = 8;
const REDRAW_MS = 60;

function liveProgress(stream: Terminal, now: () => number): Progress {
  const startedAt = now();
  const reading = new Map<number, Reading>();
  let total = 0;
  let read = 0;
  let lines = 0;
  let step = '';
  let drawn = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;

  const apply = (event: CompileEvent): void => {
    switch (event.kind) {
      case 'source started':
        total = event.total;
        reading.set(event.index, {
          name: event.source.name ?? event.source.source,
          receivedBytes: 0,
          totalBytes: undefined,
          note: '',
        });
        return;
      case 'source progress':
        reading.set(event.index, {
          ...reading.get(event.index)!,
          receivedBytes: event.receivedBytes,
          totalBytes: event.totalBytes,
          note: '',
        });
        return;
      case 'source retried':
        reading.set(event.index, {
          ...reading.get(event.index)!,
          note: `${event.reason}; retrying in ${(event.waitMs / 1000).toFixed(0)} s`,
        });
        return;
      case 'source finished':
      case 'source failed':
        reading.delete(event.index);
        read++;
        lines += event.kind === 'source finished' ? event.lines : 0;
        return;
      case 'step started':
        step = `${event.step}${event.index === undefined ? '' : ` of source ${event.index + 1}`}, ${plural(event.before, 'line')}`;
        return;
      default:
        return;
    }
  };

  const frame = (): string[] => {
    const width = (stream.columns || 80) - 1;
    const elapsed = `${((now() - startedAt) / 1000).toFixed(1)} s`;
    const shown = [...reading.values()].slice(0, MAX_SHOWN).map((one) => shorten(readingLine(one, width), width));
    const head = `${bar(read, total, 20)} ${read} of ${plural(total, 'source')}, ${plural(lines, 'line')}, ${elapsed}`;
    const doing = read === total && step !== '' ? [shorten(`  ${step}`, width)] : [];
    return [styleText('bold', shorten(head, width)), ...shown, ...doing];
  };

  const clear = (): void => {
    if (drawn > 0) stream.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  const draw = (): void => {
    clear();
    const all = frame();
    stream.write(`${all.join('\n')}\n`);
    drawn = all.length;
    drawnAt = now();
  };
  // Redraw between events, so that a stalled download is visible.
  const ticking = setInterval(draw, 500).unref();

  return {
    show(event) {
      apply(event);
      if (event.kind === 'step started' || now() - drawnAt >= REDRAW_MS) draw();
    },
    end() {
      clearInterval(ticking);
      clear();
    },
  };
}

function readingLine({ name, receivedBytes, totalBytes, note }: Reading, width: number): string {
  const size =
    totalBytes === undefined ? fileSize(receivedBytes) : `${fileSize(receivedBytes)} of ${fileSize(totalBytes)}`;
  const figures = note === '' ? size : note;
  return `  ${bar(receivedBytes, totalBytes ?? 0, 12)} ${shorten(name, Math.max(10, width - figures.length - 18))} ${figures}`;
}

function bar(done: number, total: number, width: number): string {
  const filled = total > 0 ? Math.min(width, Math.round((done / total) * width)) : 0;
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
}
