import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError, checkConfiguration } from './check-configuration.ts';

/** Each error as `path: message`. */
function faults(value: unknown): string[] {
  const checked = checkConfiguration(value);
  return checked.ok ? [] : checked.error.map(({ path, message }) => `${path}: ${message}`);
}

const least = { name: 'T', sources: [{ source: 'a.txt' }] };
const source = (members: object): object => ({ ...least, sources: [{ source: 'a.txt', ...members }] });

test('a name and a source are enough', () => {
  assert.deepEqual(checkConfiguration(least), { ok: true, value: least });
});

test('all members are accepted', () => {
  const filters = {
    transformations: ['Compress'],
    exclusions: ['x'],
    exclusions_sources: ['p'],
    inclusions: ['*'],
    inclusions_sources: [],
  };
  assert.deepEqual(
    faults({
      $schema: 7,
      name: 'T',
      description: '',
      homepage: 'anything',
      license: '',
      version: 'one',
      sources: [{ source: 'a.txt', name: 'A', type: 'hosts', mirrors: ['b.txt'], ...filters }],
      ...filters,
    }),
    [],
  );
});

test('all errors are reported at once, each with its path', () => {
  assert.deepEqual(faults({ nam: 'T', sources: [{ source: '' }, { name: '', type: 'dns' }], exclusions: 'x' }), [
    'nam: is not known; did you mean "name"?',
    'sources[0].source: must not be empty',
    'sources[1].name: must not be empty',
    'sources[1].type: expected "adblock" or "hosts", got "dns"',
    'sources[1].source: is missing and must be given',
    'exclusions: expected a list of texts, got "x"',
    'name: is missing and must be given',
  ]);
});

test('a value that is not an object is reported', () => {
  for (const [value, name] of [
    [null, 'null'],
    [undefined, 'undefined'],
    [[], 'a list'],
    ['x', '"x"'],
    [7, 'the number 7'],
  ] as const) {
    assert.deepEqual(faults(value), [`: expected an object with "name" and "sources", got ${name}`]);
  }
  assert.deepEqual(faults({ name: 'T', sources: ['a.txt'] }), [
    'sources[0]: expected an object with "source", got "a.txt"',
  ]);
});

test('a list of sources must not be empty', () => {
  assert.deepEqual(faults({ name: 'T', sources: [] }), ['sources: must name at least one source']);
  assert.deepEqual(faults({ name: 'T', sources: {} }), ['sources: expected a list of sources, got an object']);
});

test('null is never accepted', () => {
  assert.deepEqual(faults({ ...least, description: null }), ['description: expected text, got null']);
  assert.deepEqual(faults(source({ transformations: null })), [
    'sources[0].transformations: expected a list of texts, got null',
  ]);
  assert.deepEqual(faults({ ...least, exclusions: [null] }), ['exclusions[0]: expected text, got null']);
});

test('an unknown member suggests the nearest known one, or all of them', () => {
  assert.deepEqual(faults(source({ transformation: [] })), [
    'sources[0].transformation: is not known; did you mean "transformations"?',
  ]);
  assert.match(
    faults(source({ enabled: true }))[0]!,
    /^sources\[0\]\.enabled: is not known; known are "source", "name", .* and "/,
  );
  assert.deepEqual(faults(source({ $schema: '' })).length, 1);
});

test('members of Object.prototype are unknown, too', () => {
  assert.match(faults({ ...least, constructor: 1 })[0]!, /^constructor: is not known/);
  assert.match(
    faults(JSON.parse('{"name":"T","sources":[{"source":"a"}],"__proto__":{}}'))[0]!,
    /^__proto__: is not known/,
  );
});

test('names of transformations are case-sensitive', () => {
  assert.deepEqual(faults({ ...least, transformations: ['compress', 'Compress'] }), [
    'transformations[0]: "compress" is not a transformation; did you mean "Compress"?',
  ]);
  assert.match(
    faults({ ...least, transformations: ['Sort everything twice'] })[0]!,
    /the transformations are "ConvertToAscii",/,
  );
});

test('an invalid regular expression is reported with the message of the engine', () => {
  assert.match(
    faults(source({ inclusions: ['ok', '/(/'] }))[0]!,
    /^sources\[0\]\.inclusions\[1\]: Invalid regular expression/,
  );
});

test('only one validator can be used per level', () => {
  assert.deepEqual(faults({ ...least, transformations: ['ValidateAllowIp', 'Compress', 'Validate'] }), [
    'transformations: only one of "Validate" and "ValidateAllowIp" can be used at a time',
  ]);
});

test('a source must not have a validator if the whole list has one', () => {
  const sources = [
    { source: 'a', transformations: ['Validate'] },
    { source: 'b' },
    { source: 'c', transformations: ['ValidateAllowIp'] },
  ];
  assert.deepEqual(faults({ name: 'T', sources }), []);
  assert.deepEqual(faults({ name: 'T', sources, transformations: ['Validate'] }), [
    'sources[0].transformations: Validate cannot be used here, because the whole list is validated by Validate',
    'sources[2].transformations: ValidateAllowIp cannot be used here, because the whole list is validated by Validate',
  ]);
});

test('the error of a compilation lists all errors of the configuration', () => {
  const error = new ConfigurationError([
    { path: 'name', message: 'is missing' },
    { path: '', message: 'is odd' },
  ]);
  assert.equal(error.message, 'Failed to validate configuration:\n  name: is missing\n  is odd');
  assert.equal(error.issues.length, 2);
  assert.equal(error.faults, error.issues);
});

test('at most a thousand errors are reported', () => {
  const checked = checkConfiguration({ name: 'T', sources: [{ source: 'a', mirrors: Array(20_000).fill(1) }] });
  assert.equal(!checked.ok && checked.error.length, 1000);
  const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 1]));
  const strange = checkConfiguration({ ...unknown, name: 'T', sources: [{ source: 'a' }] });
  assert.equal(!strange.ok && strange.error.length, 1000);
});
