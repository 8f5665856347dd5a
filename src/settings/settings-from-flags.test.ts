import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsFromFlags } from './settings-sources.ts';

/** `key=text text`, or the problem. */
const read = (...words: string[]): readonly string[] =>
  settingsFromFlags(words).map((entry) =>
    entry.kind === 'invalid' ? entry.problem : `${entry.key}=${entry.values.map(({ text }) => text).join(' ')}`,
  );

test('a value is the next word after its flag, or follows an equals sign', () => {
  assert.deepEqual(read('--http', ':80', '--data=a=b', '--max-body', '-5'), [
    'http=:80',
    'data=a=b',
    'maxBodyBytes=-5',
  ]);
});

test('if a flag is repeated, the last value is used', () => {
  assert.deepEqual(read('--http', ':80', '--http', ':81'), ['http=:81']);
});

test('a list takes commas, and grows with each flag', () => {
  assert.deepEqual(read('--source-port', '80, 443,', '--source-port=8080'), ['sourcePort=80 443 8080']);
});

test('the error for a flag without a value has the expected value', () => {
  const problem = '--http: expected a value: ADDRESS:PORT';
  assert.deepEqual(read('--http'), [problem]);
  assert.deepEqual(read('--http', '--log', 'json'), ['log=json', problem]);
});

test('an unknown flag includes its value, and suggests the nearest known one', () => {
  assert.deepEqual(read('--htpp', ':80'), ['--htpp: unknown setting; did you mean --http?']);
  assert.deepEqual(read('--maxBody=1k'), ['--maxBody: unknown setting; did you mean --max-body?']);
  assert.deepEqual(read('-http', ':80'), ['-http: unknown setting; did you mean --http?']);
});

test('an unknown flag far from every known one gets no suggestion, nor do property names of objects', () => {
  for (const flag of ['--restaurant', '--constructor', '--__proto__', '-c', '--', '-'])
    assert.deepEqual(read(flag), [`${flag}: unknown setting`]);
});

test('a word without a flag is rejected, even if it is the name of a setting', () => {
  assert.deepEqual(read('http', '--log', 'json', 'a b'), [
    'log=json',
    '"http": settings are written as --name VALUE',
    '"a b": settings are written as --name VALUE',
  ]);
});
