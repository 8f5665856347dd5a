import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsFromEnvironment } from './settings-sources.ts';

const read = (env: NodeJS.ProcessEnv): readonly string[] =>
  settingsFromEnvironment(env).map((entry) =>
    entry.kind === 'invalid' ? entry.problem : `${entry.key}=${entry.values.map(({ text }) => text).join('+')}`,
  );

test('a variable has the name of the flag in capitals', () => {
  assert.deepEqual(read({ WEIR_HTTP: ':80', WEIR_MAX_BODY: '1k', WEIR_DATA: 'a, b' }), [
    'http=:80',
    'maxBodyBytes=1k',
    'data=a, b',
  ]);
});

test('a list takes commas and blanks', () => {
  assert.deepEqual(read({ WEIR_SOURCE_PORT: ' 80,443 8080,\n8443 ' }), ['sourcePort=80+443+8080+8443']);
});

test('an empty variable counts as not set', () => {
  assert.deepEqual(read({ WEIR_HTTP: '', WEIR_SOURCE_PORT: ' ', WEIR_NOTHING: '' }), []);
});

test('variables of others are theirs', () => {
  assert.deepEqual(read({ PATH: '/bin', HTTP: 'x', WEIRD: 'x', weir_http: 'x' }), []);
});

test('an unknown variable suggests the nearest known one', () => {
  assert.deepEqual(read({ WEIR_HTPP: ':80', WEIR_MAXBODY: '1k', WEIR_RESTAURANT: 'x' }), [
    'WEIR_HTPP: unknown setting; did you mean WEIR_HTTP?',
    'WEIR_MAXBODY: unknown setting; did you mean WEIR_MAX_BODY?',
    'WEIR_RESTAURANT: unknown setting',
  ]);
});

test('variables that Kubernetes sets for a service named weir are ignored', () => {
  const links = {
    WEIR_SERVICE_HOST: '10.0.0.11',
    WEIR_SERVICE_PORT: '8080',
    WEIR_SERVICE_PORT_HTTP: '8080',
    WEIR_PORT: 'tcp://10.0.0.11:8080',
    WEIR_PORT_8080_TCP: 'tcp://10.0.0.11:8080',
    WEIR_PORT_8080_TCP_PROTO: 'tcp',
    WEIR_PORT_8080_TCP_PORT: '8080',
    WEIR_PORT_8080_TCP_ADDR: '10.0.0.11',
  };
  assert.deepEqual(read(links), []);
  assert.deepEqual(read({ WEIR_PORT: '8080' }), ['WEIR_PORT: unknown setting; did you mean WEIR_DOT?']);
});
