import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Configuration } from '../web/pages/compiler/configuration.ts';
import { cursorContext } from '../web/pages/compiler/cursor-context.ts';
import { type Draft, draftOf, emptyConfiguration, readDraft, switchView } from '../web/pages/compiler/draft.ts';
import { readEvents } from '../web/pages/compiler/event-stream.ts';
import { examples } from '../web/pages/compiler/examples.ts';
import { diffLists } from '../web/pages/compiler/list-difference.ts';
import { withTransformation } from '../web/pages/compiler/simple-fields.ts';
import { rangeAtPath, validateText } from '../web/pages/compiler/validate-text.ts';

const rich: Configuration = {
  name: 'Rich',
  license: 'CC0-1.0',
  sources: [
    { source: 'https://lists.example.org/a.txt', name: 'A', exclusions: ['good'] },
    { source: '||one.example^\n||two.example^' },
  ],
  transformations: ['Compress', 'Deduplicate'],
};

const through = (draft: Draft, ...views: Draft['view'][]): Draft =>
  views.reduce((at, view) => {
    const switched = switchView(at, view);
    assert.ok(switched, view);
    return switched;
  }, draft);

test('a configuration is equal in every view, including settings the form does not show', () => {
  const draft = through(draftOf(rich, 'simple'), 'yaml', 'json', 'simple', 'json');
  assert.deepEqual(readDraft(draft), rich);
  assert.deepEqual(readDraft(through(draft, 'simple')), rich);
});

test('edits carry over to the other view, and comments stay if nothing else changed', () => {
  const yaml = '# ours\nname: Mine # so it is called\nsources:\n  - source: "||a.example^"\n';
  const typed: Draft = { ...draftOf(rich, 'yaml'), yaml };
  const simple = through(typed, 'simple');
  assert.equal(simple.fields.rules, '||a.example^');
  assert.equal(through(simple, 'yaml').yaml, yaml);
  const changed = { ...simple, fields: { ...simple.fields, addresses: ' https://b.example/list \n\n' } };
  assert.deepEqual(readDraft(through(changed, 'json')), {
    name: 'Mine',
    sources: [{ source: 'https://b.example/list' }, { source: '||a.example^' }],
  });
});

test('changing the form keeps the settings of unchanged sources', () => {
  const draft = draftOf(rich, 'simple');
  const fields = { ...draft.fields, rules: '||three.example^', name: 'Renamed' };
  const { sources, ...rest } = readDraft({ ...draft, fields })!;
  assert.deepEqual(sources, [rich.sources[0], { source: '||three.example^' }]);
  assert.deepEqual(rest, { name: 'Renamed', license: 'CC0-1.0', transformations: ['Compress', 'Deduplicate'] });
});

test('an empty form switches to text and back; invalid text cannot be switched', () => {
  assert.ok(through(draftOf(emptyConfiguration, 'simple'), 'yaml', 'simple'));
  assert.equal(switchView({ ...draftOf(rich, 'json'), json: '{' }, 'simple'), undefined);
  assert.equal(switchView({ ...draftOf(rich, 'yaml'), yaml: 'name: x\nsorces: []\n' }, 'json'), undefined);
});

test('every error in a text is reported with its range', () => {
  const told = (text: string, language: 'yaml' | 'json' = 'yaml') =>
    validateText(text, language).errors.map(({ from, to, what, detail }) => [text.slice(from, to), what, detail]);
  const yaml = 'name: 3\nsources:\n  - sorce: a\ntransformations: [Compres, Validate]\nexclusions: x\nlicense: ""\n';
  assert.deepEqual(
    told(yaml).map(([at, what]) => [at, what]),
    [
      ['3', 'notText'],
      ['sorce', 'unknown'],
      ['s', 'missing'],
      ['Compres', 'notOne'],
      ['x', 'notList'],
    ],
  );
  assert.deepEqual(told('{"name": "x", "sources": []}', 'json'), [['[]', 'empty', '']]);
  assert.deepEqual(told('[]', 'json'), [['[]', 'notMembers', '']]);
  assert.equal(told('{"name": "x",}', 'json')[0]?.[1], 'syntax');
  assert.equal(told('name: "x\n')[0]?.[1], 'syntax');
  assert.deepEqual(told('name: &n x\ndescription: *n\nsources: [{ source: *n }]\n'), []);
  const bomb = `name: x\n$schema: [&a [x, x], ${'&b [*a, *a], *b, '.repeat(200)}]\nsources: [{ source: a }]\n`;
  assert.equal(told(bomb)[0]?.[2], 'too many aliases');
  assert.equal(told('name: x # fine\nsources: [{source: a}]\n').length, 0);
});

test('a path from the service is located in the text', () => {
  const text = 'name: x\nsources:\n  - source: a\n    exclusions: [/(/]\n';
  const at = (path: string): string => text.slice(rangeAtPath(text, path).from, rangeAtPath(text, path).to);
  assert.equal(at('configuration.sources[0].exclusions[0]'.replace('configuration.', '')), '/(/');
  assert.equal(at('sources[0].source'), 'source');
  assert.equal(at('sources[7]').startsWith('sources'), true);
});

test('the cursor context is found in incomplete text', () => {
  const at = (marked: string, language: 'yaml' | 'json'): readonly [string, string, string] => {
    const cursor = marked.indexOf('|');
    const { keys, kind, from } = cursorContext(marked.replace('|', ''), cursor, language);
    return [keys.join('.'), kind, marked.slice(from, cursor)];
  };
  assert.deepEqual(at('na|', 'yaml'), ['', 'key', 'na']);
  assert.deepEqual(at('name: x\nsources:\n  - sou|', 'yaml'), ['sources', 'key', 'sou']);
  assert.deepEqual(at('sources:\n  - source: a\n    ex|', 'yaml'), ['sources', 'key', 'ex']);
  assert.deepEqual(at('sources:\n- source: a\n  transformations:\n  - Com|', 'yaml'), [
    'sources.transformations',
    'value',
    'Com',
  ]);
  assert.deepEqual(at('sources:\n  - source: a\ntransformations: [Compress, Va|', 'yaml'), [
    'transformations',
    'value',
    'Va',
  ]);
  assert.deepEqual(at('sources:\n  - source: a\n|', 'yaml'), ['', 'key', '']);
  assert.deepEqual(at('{"na|', 'json'), ['', 'key', '"na']);
  assert.deepEqual(at('{"name": "x", "sources": [{"source": "a", "ty|', 'json'), ['sources', 'key', '"ty']);
  assert.deepEqual(at('{"sources": [{"source": "a{"}], "transformations": ["Compress", "|', 'json'), [
    'transformations',
    'value',
    '"',
  ]);
  assert.deepEqual(at('{"sources": [{"type": |', 'json'), ['sources.type', 'value', '']);
});

test('validators exclude each other', () => {
  assert.deepEqual(withTransformation(['Validate', 'Compress'], 'ValidateAllowIp', true), [
    'Compress',
    'ValidateAllowIp',
  ]);
  assert.deepEqual(withTransformation(['Validate', 'Compress'], 'Validate', false), ['Compress']);
});

test('examples are valid', () => {
  for (const { id, configuration } of examples)
    assert.deepEqual(validateText(draftOf(configuration, 'json').json, 'json').errors, [], id);
});

test('events are parsed at any chunk boundary', async () => {
  const bytes = new TextEncoder().encode(
    ': still here\n\nid: 1\nevent: progress\ndata: {"a":"ü"}\n\nid: 2\nevent: done\ndata: {}\n\n',
  );
  for (const size of [1, 2, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const events = await Array.fromAsync(readEvents(ReadableStream.from(pieces)));
    assert.deepEqual(events, [
      { name: 'progress', data: '{"a":"ü"}' },
      { name: 'done', data: '{}' },
    ]);
  }
});

test('a difference contains rules, not comments or dates', () => {
  const before = ['! Last modified: 1', '||a.example^', '||b.example^', ''];
  const after = ['! Last modified: 2', '||b.example^', '||c.example^', '# note', '##.ad'];
  assert.deepEqual(diffLists(before, after), { added: ['||c.example^', '##.ad'], removed: ['||a.example^'] });
});
