import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsFromFlags } from './settings-sources.ts';

/** `key=text text`, or the problem. */
const read = (...words: string[]): readonly string[] =>
  settingsFromFlags(words).map((entry) =>
    entry.kind === 'invalid' ? entry.problem : `${entry.key}=${entry.values.map(({ text }) => text).join(' ')}`,
  );

test('a value follows its flag, as the next word or after an equals sign', () => {
  assert.deepEqual(read('--http', ':80', '--data=a=b', '--max-body', '-5'), [
    'http=:80',
    'data=a=b',
    'maxBodyBytes=-5',
  ]);
});

test('of a flag given twice the last counts', () => {
  assert.deepEqual(read('--http', ':80', '--http', ':81'), ['http=:81']);
});

test('a list takes commas, and grows with each flag', () => {
  assert.deepEqual(read('--source-port', '80, 443,', '--source-port=8080'), ['sourcePort=80 443 8080']);
});

test('a flag without its value says what it needs', () => {
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

test('a word that no flag asks for is refused, also one that would be a name', () => {
  assert.deepEqual(read('http', '--log', 'json', 'a b'), [
    'log=json',
    '"http": settings are written as --name VALUE',
    '"a b": settings are written as --name VALUE',
  ]);
});
