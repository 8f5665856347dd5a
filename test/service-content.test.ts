import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from './support/service.ts';
import { post } from './support/service-contract.ts';

const service = await startService({ after }, ['--requests-per-minute', '1000']);

const rulesOf = (rules: readonly string[] = []): string[] => rules.filter((rule) => !rule.startsWith('!'));

// As JSON text, since __proto__ in a literal would be no member.
const keys = [
  'key',
  'https://lists.example/not-asked.txt',
  'http://127.0.0.1:1/never-asked.txt',
  '/etc/passwd',
  '../up/list.txt',
  'file:///etc/hosts',
  'a key with blanks',
  '||rule.example^',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'ключ 🗝',
  '0',
];

for (const key of keys) {
  test(`a text under the key ${key} is the source of that name`, async () => {
    const name = JSON.stringify(key);
    const { status, json } = await post(
      service,
      '/compile',
      `{"configuration":{"name":"Keys","sources":[{"source":${name}}]},"preFetchedContent":{${name}:"||brought.example^"}}`,
    );
    assert.equal(status, 200, json.error);
    assert.deepEqual(rulesOf(json.rules), ['||brought.example^']);
    assert.deepEqual(json.rules?.slice(-4, -1), ['!', `! Source: ${key}`, '!']);
  });
}

for (const source of ['__proto__', 'constructor', 'toString', 'valueOf']) {
  test(`${source} is not a key unless the request has it`, async () => {
    const { status, json } = await post(service, '/compile', {
      configuration: { name: 'Keys', sources: [{ source }] },
      preFetchedContent: { other: '||other.example^' },
    });
    assert.equal(status, 400);
    assert.equal(json.error, `No fetcher available for source: ${source}`);
  });
}

test('files of patterns come from preFetchedContent, too', async () => {
  const { json } = await post(service, '/compile', {
    configuration: { name: 'Patterns', sources: [{ source: 'list' }], exclusions_sources: ['patterns'] },
    preFetchedContent: { list: '||keep.example^\n||drop.example^', patterns: '! why\ndrop' },
  });
  assert.deepEqual(rulesOf(json.rules), ['||keep.example^']);
});

const inlineSources: readonly (readonly [string, string, readonly string[]])[] = [
  ['one rule', '||one.example^', ['||one.example^']],
  ['an exception', '@@||fine.example^', ['@@||fine.example^']],
  ['a line of a hosts file', '0.0.0.0 host.example', ['0.0.0.0 host.example']],
  ['several lines', 'one.example\r\n\r\ntwo.example\n', ['one.example', 'two.example']],
];

for (const [what, source, rules] of inlineSources) {
  test(`a source may be ${what} itself`, async () => {
    const { status, json } = await post(service, '/compile', {
      configuration: { name: 'Inline', sources: [{ source }] },
    });
    assert.equal(status, 200, json.error);
    assert.deepEqual(rulesOf(json.rules), rules);
    assert(json.rules?.includes('! Source: inline rules'));
  });
}

const list = ['||ads.example^', '@@||good.ads.example^', '0.0.0.0 bad.example', '/banner[0-9]+/', '||*.wild.example^'];
const formats: Readonly<Record<string, RegExp>> = {
  hosts: /^0\.0\.0\.0 bad\.example$/m,
  domains: /^bad\.example$/m,
  dnsmasq: /^(address|local)=\/bad\.example\//m,
  unbound: /^local-data: "bad\.example\. A 0\.0\.0\.0"$/m,
  rpz: /^bad\.example CNAME \.$/m,
};

for (const [format, pattern] of Object.entries(formats)) {
  test(`as ${format} a list reports its unsupported rules`, async () => {
    const { json } = await post(service, '/compile', {
      configuration: { name: 'Formats', sources: [{ name: 'Mixed', source: list.join('\n') }] },
      format,
    });
    assert.deepEqual(Object.keys(json), ['success', 'rules', 'ruleCount', 'compiledAt', 'unsupported', 'unsaid']);
    assert.match(json.rules!.join('\n'), pattern);
    assert.equal(json.ruleCount, json.rules?.length);
    const unsupported = json['unsupported'] as { rule: string; source: string; line: number; reason: string }[];
    assert.deepEqual(json['unsaid'], unsupported);
    const expression = unsupported.find(({ rule }) => rule === '/banner[0-9]+/');
    assert.deepEqual(Object.keys(expression!), ['rule', 'source', 'line', 'reason']);
    assert.equal(expression?.source, 'Mixed');
    assert.equal(expression?.line, 4);
    assert.notEqual(expression?.reason, '');
  });
}

test('as adblock, explicit or by default, no rule is unsupported', async () => {
  const body = { configuration: { name: 'Formats', sources: [{ source: list.join('\n') }] } };
  for (const more of [{}, { format: 'adblock' }]) {
    const { json } = await post(service, '/compile', { ...body, ...more });
    assert.deepEqual(rulesOf(json.rules), list);
    assert.equal(json['unsupported'], undefined);
  }
});

test('a format that does not exist is 400 and names those that do', async () => {
  const { status, json } = await post(service, '/compile', {
    configuration: { name: 'x', sources: [{ source: '||a.example^' }] },
    format: 'bind',
  });
  assert.equal(status, 400);
  assert.deepEqual(json.details, [
    { path: 'format', message: 'must be one of adblock, hosts, domains, dnsmasq, unbound, rpz' },
  ]);
});

test('with explain each dropped rule is reported: source, transformation and reason', async () => {
  const { json } = await post(service, '/compile', {
    configuration: {
      name: 'Why',
      sources: [
        { name: 'First', source: 'k', exclusions: ['secret'] },
        { name: 'Second', source: '||twin.example^\n||a.twin.example^' },
      ],
      transformations: ['Compress', 'Validate', 'Deduplicate'],
    },
    preFetchedContent: { k: '||twin.example^\n||secret.example^\n||bad name^' },
    explain: true,
  });
  assert.deepEqual(Object.keys(json), ['success', 'rules', 'ruleCount', 'compiledAt', 'dropped']);
  const dropped = json['dropped'] as Record<string, unknown>[];
  assert.deepEqual(Object.keys(dropped[0]!), ['rule', 'source', 'line', 'step', 'reason']);
  assert.deepEqual(
    dropped
      .map(({ rule, source, line, step }) => [rule, source, line, step])
      .filter(([rule]) => !(rule as string).startsWith('!')),
    [
      ['||secret.example^', 'First', 2, 'exclusions'],
      ['||twin.example^', 'Second', 1, 'Compress'],
      ['||a.twin.example^', 'Second', 2, 'Compress'],
      ['||bad name^', 'First', 3, 'Validate'],
    ],
  );
  for (const { reason } of dropped) assert.match(String(reason), /\w+ \w+/);
  const kept = rulesOf(json.rules);
  assert.deepEqual(kept, ['||twin.example^']);
});

test('with explain and nothing dropped there is an empty list of it', async () => {
  const { json } = await post(service, '/compile', {
    configuration: { name: 'Why', sources: [{ source: '||a.example^' }] },
    explain: true,
  });
  assert.deepEqual(json['dropped'], []);
});

const strange = [
  '||"quoted".example^',
  '||back\\slash\\.example^',
  '! tab\there, bell \u0007, escape \u001b[31m, delete \u007f',
  '||emoji-🦊.example^',
  `! separators \u2028 and \u2029 and \u0085`,
  `! vertical \u000b and form \u000c`,
  '! BOM in the midst \ufeff',
  '! "\\u0041" and \\n stay as they are',
  '|| nothing but blanks follows^   ',
];

test('rules in JSON are the lines of the text, with any characters', async () => {
  const body = {
    configuration: { name: 'Strange "name" \\ 🦊', sources: [{ source: 'k' }] },
    preFetchedContent: { k: [...strange, '||last.example^'].join('\n') },
  };
  const { json } = await post(service, '/compile', body);
  assert.deepEqual(json.rules?.slice(-strange.length - 1), [...strange, '||last.example^']);
  const { text } = await post(service, '/compile', body, { accept: 'text/plain' });
  const undated = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('! Last modified'));
  assert.deepEqual(undated(text.split('\n')), undated(json.rules!));
});

test('a list of many pieces is the same in JSON and as text, strange lines at every place', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `${strange[at % strange.length]!.trimEnd()} ${at}`);
  const body = {
    configuration: { name: 'Long', sources: [{ source: 'k' }] },
    preFetchedContent: { k: lines.join('\n') },
  };
  const [{ json }, { text }] = await Promise.all([
    post(service, '/compile', body),
    post(service, '/compile', body, { accept: 'text/plain' }),
  ]);
  assert.deepEqual(json.rules?.slice(-lines.length), lines);
  assert.deepEqual(text.split('\n').slice(-lines.length), lines);
  assert.equal(json.ruleCount, json.rules?.length);
});

test('a line break at the end of a list is an empty last rule, in JSON as in text', async () => {
  const body = {
    configuration: { name: 'End', sources: [{ source: '||end.example^' }], transformations: ['InsertFinalNewLine'] },
  };
  const { json } = await post(service, '/compile', body);
  assert.deepEqual(json.rules?.slice(-2), ['||end.example^', '']);
  assert.equal(json.ruleCount, json.rules?.length);
  const { text } = await post(service, '/compile', body, { accept: 'text/plain' });
  assert.equal(text, json.rules?.join('\n'));
});

test('a list without remaining rules is its header', async () => {
  const { json } = await post(service, '/compile', {
    configuration: { name: 'Nothing', sources: [{ source: '||a.example^' }], inclusions: ['nothing like it'] },
  });
  assert.equal(json.ruleCount, 6);
  assert.deepEqual(rulesOf(json.rules), []);
});
