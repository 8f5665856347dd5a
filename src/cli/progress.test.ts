import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type CompileEvent, compileEvents, SourceError } from '../compiler/index.ts';
import { createProgress } from './progress.ts';

// The display depends on TERM, so these tests set it.
process.env['TERM'] = 'xterm';

const loud = { quiet: false, verbose: false };

/** A terminal emulator that records the visible text. */
function terminal(columns?: number) {
  const written: string[] = [];
  const frames: string[][] = [];
  let screen: string[] = [];
  return {
    isTTY: columns !== undefined,
    ...(columns !== undefined && { columns }),
    written,
    /** Each state of the screen. */
    frames,
    screen: () => screen,
    write(text: string): void {
      written.push(text);
      const up = /^\u001b\[(\d+)A\u001b\[0J$/.exec(text)?.[1];
      if (up === undefined) screen = [...screen, ...stripVTControlCharacters(text).replace(/\n$/, '').split('\n')];
      else screen = screen.slice(0, screen.length - Number(up));
      frames.push(screen);
    },
  };
}

function clock() {
  let time = 0;
  const pass = (ms: number): void => {
    time += ms;
  };
  return Object.assign(() => time, { pass });
}

const source = (index: number, text: string, total = 1): CompileEvent => ({
  kind: 'source started',
  index,
  total,
  source: { source: text },
});

const events: readonly CompileEvent[] = [
  source(0, 'https://lists.example.org/a-rather-long-name-for-a-list/ads.txt', 2),
  source(1, 'own.txt', 2),
  { kind: 'source progress', index: 0, receivedBytes: 500_000, totalBytes: 1_000_000 },
  { kind: 'source retried', index: 0, reason: 'status 503', waitMs: 2100 },
  { kind: 'source finished', index: 1, bytes: 1200, lines: 1, format: 'hosts' },
  { kind: 'step started', step: 'Compress', index: 1, before: 1 },
  { kind: 'step finished', step: 'Compress', index: 1, before: 1, after: 1, dropped: [] },
  { kind: 'source failed', index: 0, error: new SourceError('x', 'no such list'), skipped: true },
  { kind: 'step started', step: 'Validate', index: undefined, before: 123_456 },
  { kind: 'step finished', step: 'Validate', index: undefined, before: 123_456, after: 1000, dropped: [] },
  { kind: 'warning', message: 'mind the gap' },
];

test('without a terminal, each event is a plain line', () => {
  const log = terminal();
  const progress = createProgress(log, loud);
  for (const event of events) progress.show(event);
  progress.end();
  assert.deepEqual(log.written, [
    'reading 1 of 2: https://lists.example.org/a-rather-long-name-for-a-list/ads.txt\n',
    'reading 2 of 2: own.txt\n',
    'source 1: status 503; retrying in 2.1 s\n',
    'source 2: 1 line, hosts, 1.2 kB\n',
    'source 1 is skipped: no such list\n',
    'Validate: 123,456 -> 1,000\n',
  ]);
});

test('with --verbose the plain lines also show the steps of each source', () => {
  const log = terminal();
  const progress = createProgress(log, { quiet: false, verbose: true });
  for (const event of events) progress.show(event);
  assert.ok(log.written.includes('Compress of source 2: 1 -> 1\n'));
});

test('a source that ends the compilation is only reported by the error', () => {
  const log = terminal();
  createProgress(log, loud).show({
    kind: 'source failed',
    index: 0,
    error: new SourceError('x', 'gone'),
    skipped: false,
  });
  assert.deepEqual(log.written, []);
});

test('any number of inline rules is shown on one plain line', () => {
  const log = terminal();
  createProgress(log, loud).show(source(0, '||a.example.com^\n'.repeat(100)));
  assert.equal(log.written.length, 1);
  assert.match(log.written[0]!, /^reading 1 of 1: \|\|a\.example\.com\^ [^\n]{1,120}\n$/);
});

test('--quiet prints nothing, with and without a terminal', () => {
  for (const columns of [undefined, 80]) {
    const log = terminal(columns);
    const progress = createProgress(log, { quiet: true, verbose: true });
    for (const event of events) progress.show(event);
    progress.end();
    assert.deepEqual(log.written, []);
  }
});

test('a terminal without control sequences gets plain lines', (t) => {
  process.env['TERM'] = 'dumb';
  t.after(() => {
    process.env['TERM'] = 'xterm';
  });
  const log = terminal(80);
  createProgress(log, loud).show(source(0, 'own.txt'));
  assert.deepEqual(log.written, ['reading 1 of 1: own.txt\n']);
});

test('on a terminal, bars show the progress of sources and downloads', () => {
  const screen = terminal(80);
  const now = clock();
  const progress = createProgress(screen, loud, now);
  for (const event of events.slice(0, 3)) {
    now.pass(1000);
    progress.show(event);
  }
  const [all, first, second, ...more] = screen.screen();
  assert.equal(all, '░░░░░░░░░░░░░░░░░░░░ 0 of 2 sources, 0 lines, 3.0 s');
  assert.match(first!, /^ +██████░░░░░░ https:\/\/lists\.exam\S*…\S*\/ads\.txt 500\.0 kB of 1\.0 MB$/);
  assert.match(second!, /^ +░░░░░░░░░░░░ own\.txt 0 B$/);
  assert.deepEqual(more, []);
  now.pass(1000);
  progress.show(events[3]!);
  assert.match(screen.screen()[1]!, /status 503; retrying in 2 s$/);
  now.pass(1000);
  progress.show(events[4]!);
  assert.equal(screen.screen()[0], '██████████░░░░░░░░░░ 1 of 2 sources, 1 line, 5.0 s');
  assert.equal(screen.screen().length, 2);
  progress.end();
});

test('when all sources are read, the current step is shown', () => {
  const screen = terminal(80);
  const now = clock();
  const progress = createProgress(screen, loud, now);
  for (const event of events.slice(0, 9)) {
    now.pass(100);
    progress.show(event);
  }
  assert.deepEqual(
    screen.screen().map((line) => line.trim()),
    ['████████████████████ 2 of 2 sources, 1 line, 0.9 s', 'Validate, 123,456 lines'],
  );
  progress.end();
});

test('no line is wider than the terminal', () => {
  for (const columns of [1, 2, 10, 20, 39, 40, 41, 60, 80, 200]) {
    const screen = terminal(columns);
    const now = clock();
    const progress = createProgress(screen, loud, now);
    for (const event of events) {
      now.pass(100);
      progress.show(event);
    }
    progress.end();
    const widest = Math.max(...screen.frames.flat().map((line) => line.length));
    assert.ok(widest < columns, `${widest} of ${columns}`);
    assert.ok(screen.frames.length > 5);
  }
});

test('a terminal of unknown width is treated as 80 columns wide', () => {
  const { columns: _, ...unknown } = terminal(80);
  for (const screen of [unknown, terminal(0)]) {
    const progress = createProgress(screen, loud, clock());
    progress.show(source(0, 'x'.repeat(300)));
    const widest = Math.max(...screen.frames.flat().map((line) => line.length));
    assert.ok(widest > 70 && widest < 80, String(widest));
    progress.end();
  }
});

test('at the end the display is removed, and the lines above it remain', () => {
  const screen = terminal(80);
  screen.write('what stood here\n');
  const now = clock();
  const progress = createProgress(screen, loud, now);
  for (const event of events) {
    now.pass(100);
    progress.show(event);
  }
  assert.ok(screen.screen().length > 1);
  progress.end();
  assert.deepEqual(screen.screen(), ['what stood here']);
});

test('a display that never drew clears nothing', () => {
  const screen = terminal(80);
  createProgress(screen, loud, clock()).end();
  assert.deepEqual(screen.written, []);
});

test('frequent events are drawn together, so that the terminal does not slow down the compilation', () => {
  const screen = terminal(80);
  const now = clock();
  const progress = createProgress(screen, loud, now);
  progress.show(source(0, 'own.txt'));
  for (let receivedBytes = 0; receivedBytes < 10_000; receivedBytes++) {
    if (receivedBytes % 10 === 0) now.pass(1);
    progress.show({ kind: 'source progress', index: 0, receivedBytes });
  }
  progress.end();
  assert.ok(screen.frames.length < 50, String(screen.frames.length));
});

test('only some of many concurrent downloads are shown', () => {
  const screen = terminal(80);
  const now = clock();
  const progress = createProgress(screen, loud, now);
  for (let index = 0; index < 30; index++) {
    now.pass(100);
    progress.show(source(index, `list-${index}.txt`, 30));
  }
  assert.equal(screen.screen().length, 9);
  progress.end();
});

test('a complete compilation is shown and the display is removed', async () => {
  const screen = terminal(60);
  const now = clock();
  const progress = createProgress(screen, loud, now);
  const sources = [
    { source: '||a.example.com^\n||b.example.com^' },
    { source: '0.0.0.0 c.example.com\nd.example.com' },
  ];
  for await (const event of compileEvents({ name: 'T', sources, transformations: ['Compress', 'Validate'] })) {
    now.pass(100);
    progress.show(event);
  }
  progress.end();
  assert.ok(screen.frames.some((lines) => lines[0]?.includes('2 of 2 sources, 4 lines')));
  assert.ok(screen.frames.some((lines) => lines[1]?.includes('Validate')));
  assert.deepEqual(screen.screen(), []);
});
