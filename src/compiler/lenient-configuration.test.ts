import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConfiguration } from './check-configuration.ts';
import { lenientConfiguration } from './lenient-configuration.ts';

test('unknown members, empty source names and conflicting validators are dropped with warnings', () => {
  const { configuration, warnings } = lenientConfiguration({
    name: 'T',
    output: { path: 'x' },
    sources: [
      { source: 'a', name: '', transformations: ['Validate', 'Compress'], hash: 1 },
      { source: 'b', transformations: ['TrimLines'] },
    ],
    transformations: ['ValidateAllowIp'],
  });
  assert.deepEqual(configuration, {
    name: 'T',
    sources: [
      { source: 'a', transformations: ['Compress'] },
      { source: 'b', transformations: ['TrimLines'] },
    ],
    transformations: ['ValidateAllowIp'],
  });
  assert.ok(checkConfiguration(configuration).ok);
  assert.deepEqual(warnings, [
    'output is not known and is ignored',
    'sources[0].hash is not known and is ignored',
    'sources[0].name is empty and is ignored',
    'sources[0].transformations: Validate is ignored, because the whole list is validated by ValidateAllowIp',
  ]);
});

test('validators of sources are kept if the list has none, and other errors are reported', () => {
  const valid = { name: 'T', sources: [{ source: 'a', transformations: ['Validate'] }] };
  assert.deepEqual(lenientConfiguration(valid), { configuration: valid, warnings: [] });
  assert.equal(checkConfiguration(lenientConfiguration({ name: 'T', sources: [1] }).configuration).ok, false);
  assert.deepEqual(lenientConfiguration(7), { configuration: 7, warnings: [] });
});
