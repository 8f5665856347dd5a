import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import { createLog } from './log.ts';
import { openLogOutput } from './log-output.ts';

const full = (): never => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
};

test('a line that cannot be written is counted and written later, in its order', async () => {
  const written: string[] = [];
  let isFull = true;
  const output = openLogOutput(
    (bytes) => (isFull ? full() : written.push(Buffer.from(bytes).toString()) && bytes.length),
    10,
  );
  const recovered: number[] = [];
  output.onRecovered((lost) => recovered.push(lost));
  output.write('first\n');
  output.write('second\n');
  assert.ok(output.counts().errors > 0);
  isFull = false;
  await until('the lines', () => written.length === 2);
  assert.deepEqual(written, ['first\n', 'second\n']);
  assert.deepEqual(recovered, [0]);
  assert.equal(output.counts().lost, 0);
});

test('too many waiting lines are dropped and counted; the newest stay', async () => {
  const written: string[] = [];
  let isFull = true;
  const output = openLogOutput(
    (bytes) => (isFull ? full() : written.push(Buffer.from(bytes).toString()) && bytes.length),
    10,
  );
  for (let i = 0; i < 5000; i++) output.write(`${i} ${'x'.repeat(200)}\n`);
  const { lost } = output.counts();
  assert.ok(lost > 3000 && lost < 5000, `${lost}`);
  isFull = false;
  await until('the rest', () => written.length === 5000 - lost);
  assert.match(written.at(-1)!, /^4999 /);
});

test('a line that was half written is finished before the next', async () => {
  let text = '';
  let quota = 3;
  const output = openLogOutput((bytes) => {
    if (quota === 0) full();
    const taken = bytes.subarray(0, quota);
    quota -= taken.length;
    text += Buffer.from(taken).toString();
    return taken.length;
  }, 10);
  output.write('abcdef\n');
  output.write('ghi\n');
  quota = 100;
  await until('both', () => text.length === 11);
  assert.equal(text, 'abcdef\nghi\n');
});

test('a device without space ends nothing', { skip: !existsSync('/dev/full') && 'no /dev/full' }, () => {
  // The output retries after the test: it must not keep a descriptor that then belongs to another file.
  const output = openLogOutput((bytes) => {
    const file = openSync('/dev/full', 'w');
    try {
      return writeSync(file, bytes);
    } finally {
      closeSync(file);
    }
  });
  for (const format of ['json', 'text'] as const) createLog({ log: format, logLevel: 'info' }, output).info('hello');
  assert.equal(output.counts().errors, 1);
});
