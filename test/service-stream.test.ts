import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { httpOrigin, says } from './support/net/origin.ts';
import { postStream, type ServerEvent, startService } from './support/service.ts';
import { postUntilHit } from './support/service-contract.ts';
import { parseEvents } from './support/service-raw.ts';

const service = await startService({ after }, [
  '--requests-per-minute',
  '1000',
  '--allow-source-address',
  '127.0.0.1/32',
]);

const sources = [
  { name: 'Morning', source: 'morning' },
  { source: 'evening', type: 'hosts', transformations: ['Compress'] },
];
const order = {
  configuration: { name: 'Daily', sources, transformations: ['Deduplicate', 'RemoveEmptyLines'] },
  preFetchedContent: {
    morning: '||first.example^\n! twin\n||twin.example^\n||twin.example^',
    evening: '0.0.0.0 pixel.example.org',
  },
};
const plainText = { 'content-type': 'text/plain' };

/** Events in short form: names, with text or name if present. */
const told = (events: readonly ServerEvent[]): string[] =>
  events.map(({ event, data }) => {
    const words = [data['level'], data['message'], data['name'], data['sourceIndex'], data['error']];
    return [
      event,
      ...words.filter((word) => word !== undefined).map((word) => JSON.stringify(word).replace(/^"|"$/g, '')),
    ].join(' | ');
  });

test('a stream is a text/event-stream, not cacheable, with CORS for every origin', async () => {
  const { status, headers } = await postStream(service, order);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/event-stream');
  assert.equal(headers.get('cache-control'), 'no-cache');
  assert.equal(headers.get('connection'), 'keep-alive');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('x-cache'), null);
});

test('a stream has an event for each source and each transformation, then the result and done', async () => {
  const { events } = await postStream(service, order);
  const fromSources = told(events).slice(0, 11);
  // Sources are read in parallel; the events of each source stay in order.
  assert.deepEqual(fromSources.toSorted(), [
    'log | debug | Downloading: evening',
    'log | debug | Downloading: morning',
    'log | info | Starting the compiler',
    'log | info | The list was compressed from 1 to 1',
    'progress | Applying transformation: Compress',
    'source:complete | 0',
    'source:complete | 1',
    'source:start | 0',
    'source:start | 1',
    'transformation:complete | Compress',
    'transformation:start | Compress',
  ]);
  const inOrder = [
    'log | info | Starting the compiler',
    'source:start | 1',
    'transformation:start | Compress',
    'source:complete | 1',
  ];
  assert.deepEqual(
    fromSources.filter((line) => inOrder.includes(line)),
    inOrder,
  );
  assert.deepEqual(told(events).slice(11), [
    'progress | Applying 2 transformations',
    'transformation:start | Deduplicate',
    'progress | Applying transformation: Deduplicate',
    'log | debug | Removing duplicate: ||twin.example^',
    // Counted in lines, because a comment was dropped with its rule.
    'log | info | Deduplication removed 2 rules',
    'transformation:complete | Deduplicate',
    'transformation:start | RemoveEmptyLines',
    'progress | Applying transformation: RemoveEmptyLines',
    'log | info | Removed 0 empty lines',
    'transformation:complete | RemoveEmptyLines',
    'progress | Finalizing output',
    'compilation:complete',
    'result',
    'done',
  ]);
});

test('each kind of event has its members, in their order', async () => {
  const { events } = await postStream(service, { ...order, benchmark: true });
  const members = Object.fromEntries(events.map(({ event, data }) => [event, Object.keys(data)]));
  assert.deepEqual(members, {
    log: ['level', 'message'],
    'source:start': ['source', 'sourceIndex', 'totalSources'],
    // The last member is ours: the format of the source.
    'source:complete': ['source', 'sourceIndex', 'totalSources', 'ruleCount', 'durationMs', 'format'],
    'transformation:start': ['name', 'inputCount'],
    'transformation:complete': ['name', 'inputCount', 'outputCount', 'durationMs'],
    progress: ['phase', 'current', 'total', 'message'],
    'compilation:complete': ['ruleCount', 'totalDurationMs', 'sourceCount', 'transformationCount'],
    result: ['rules', 'ruleCount', 'metrics'],
    done: [],
  });
  const last = (name: string) => events.findLast(({ event }) => event === name)!.data;
  const first = (name: string) => events.find(({ event }) => event === name)!.data;
  assert.deepEqual(first('source:start')['source'], sources[0]);
  assert.deepEqual(last('source:start')['source'], sources[1]);
  assert.equal(last('source:start')['totalSources'], 2);
  const progress = events.filter(({ event }) => event === 'progress').map(({ data }) => data);
  assert.deepEqual(
    progress.map(({ phase, current, total }) => [phase, current, total]),
    [
      ['transformations', 1, 1],
      ['transformations', 0, 2],
      ['transformations', 1, 2],
      ['transformations', 2, 2],
      ['finalize', 1, 1],
    ],
  );
});

test('the counts in events agree with the result', async () => {
  const { events } = await postStream(service, { ...order, benchmark: true });
  const of = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data);
  const [result] = of('result') as { rules: string[]; ruleCount: number; metrics: Record<string, number> }[];
  assert(result);
  const [complete] = of('compilation:complete');
  assert.equal(result.ruleCount, result.rules.length);
  assert.equal(complete?.['ruleCount'], result.ruleCount);
  assert.equal(complete?.['sourceCount'], 2);
  assert.equal(complete?.['transformationCount'], 2);
  assert.deepEqual(
    of('source:complete')
      .map((data) => `${data['sourceIndex'] as number}: ${data['ruleCount'] as number} ${data['format'] as string}`)
      .toSorted(),
    ['0: 4 adblock', '1: 1 hosts'],
  );
  const [compress, deduplicate, removeEmpty] = of('transformation:complete');
  assert.equal(compress?.['outputCount'], 1);
  // Five lines, and the headers of two sources: four lines, and three without a name.
  assert.equal(deduplicate?.['inputCount'], 12);
  // The first duplicate is dropped with the comment above it.
  assert.equal(deduplicate?.['outputCount'], 10);
  assert.equal(removeEmpty?.['inputCount'], 10);
  assert.equal(result.metrics['ruleCount'], 12);
  assert.equal(result.metrics['outputRuleCount'], result.ruleCount);
  assert.equal(result.ruleCount, 16);
});

test('ids count up from 1 without a gap', async () => {
  // By design, ids and heartbeats are our additions.
  const { events, text } = await postStream(service, order);
  assert.deepEqual(
    events.map(({ id }) => Number(id)),
    events.map((_, at) => at + 1),
  );
  assert.deepEqual(parseEvents(text), events, 'three lines a frame, and nothing between frames');
});

test('a stream without benchmark has no metrics', async () => {
  const { events } = await postStream(service, order);
  assert.deepEqual(Object.keys(events.at(-2)!.data), ['rules', 'ruleCount']);
});

test('explain and format come with the result of a stream, too', async () => {
  const { events } = await postStream(service, { ...order, explain: true, format: 'hosts' });
  assert.deepEqual(Object.keys(events.at(-2)!.data), ['rules', 'ruleCount', 'dropped', 'unsupported', 'unsaid']);
});

const unreadable: readonly (readonly [string, string])[] = [
  ['that is nothing', 'nowhere'],
  ['in a file', '/etc/hostname'],
];
for (const [what, source] of unreadable) {
  test(`a source ${what} fails the stream: status 200, source:error, error, and no done`, async () => {
    const { status, events } = await postStream(service, { configuration: { name: 'Lost', sources: [{ source }] } });
    assert.equal(status, 200);
    const error = `No fetcher available for source: ${source}`;
    assert.deepEqual(told(events), [
      'log | info | Starting the compiler',
      'source:start | 0',
      `log | debug | Downloading: ${source}`,
      `log | error | Failed to download ${source}: ${error}`,
      `source:error | 0 | ${error}`,
      `error | ${error}`,
    ]);
    assert.deepEqual(events.at(-2)?.data, { source: { source }, sourceIndex: 0, totalSources: 1, error });
    assert.deepEqual(events.at(-1)?.data, { error });
  });
}

test('a server that answers 404 fails the stream in the words of /compile', async (t) => {
  const origin = await httpOrigin(t, says(404, plainText, 'no'));
  const { events } = await postStream(service, { configuration: { name: 'Gone', sources: [{ source: origin.url }] } });
  assert.deepEqual(events.at(-1)?.data, { error: 'HTTP 404: Not Found' });
});

test('an invalid configuration is a stream of one error, with the place of each fault', async () => {
  const { status, headers, events } = await postStream(service, { configuration: { name: '', sources: [] } });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/event-stream');
  assert.deepEqual(events, [
    {
      id: '1',
      event: 'error',
      data: {
        error: 'Failed to validate configuration',
        details: [
          { path: 'configuration.name', message: 'must not be empty' },
          { path: 'configuration.sources', message: 'must name at least one source' },
        ],
      },
    },
  ]);
});

test('an unknown member of the request is named by the first event', async () => {
  const { events } = await postStream(service, { ...order, foo: 1 });
  assert.deepEqual(events[0], {
    id: '1',
    event: 'log',
    data: { level: 'warn', message: 'The request member "foo" is not known and was ignored' },
  });
  assert.equal(events.at(-1)?.event, 'done');
});

test('a stream reports a skipped source and continues', async (t) => {
  const origin = await httpOrigin(t, says(404, plainText, 'no'));
  const sources = [{ source: origin.url }, { source: '||a.example^' }];
  const { events } = await postStream(service, { configuration: { name: 'S', sources }, onSourceError: 'skip' });
  const failed = events.filter(({ event }) => event === 'source:error');
  assert.deepEqual(
    failed.map(({ data }) => [data['sourceIndex'], data['error']]),
    [[0, 'HTTP 404: Not Found']],
  );
  assert.equal(events.at(-1)?.event, 'done');
  assert.deepEqual(events.at(-2)?.data['warnings'], [`Source left out: ${origin.url}: HTTP 404: Not Found`]);
});

test('durations in events are whole milliseconds', async () => {
  const { events } = await postStream(service, order);
  const durations = events.flatMap(({ data }) => [data['durationMs'], data['totalDurationMs']]);
  const numbers = durations.filter((ms) => ms !== undefined);
  assert(numbers.length >= 6 && numbers.every(Number.isInteger), JSON.stringify(numbers));
});

test('a request without a configuration is 400 with JSON, before any event', async () => {
  for (const body of [{}, { configuration: 1, benchmark: 'yes' }]) {
    const { status, headers, text } = await postStream(service, body).catch(() => assert.fail('not an answer'));
    assert.equal(status, 400);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(JSON.parse(text).success, false);
  }
});

test('after a compilation a stream compiles again, and has the cached list as previousVersion', async (t) => {
  let asked = 0;
  const origin = await httpOrigin(t, (_request, response) => {
    asked++;
    response.writeHead(200, plainText).end(`||version-${asked}.example^`);
  });
  const body = { configuration: { name: 'Before', sources: [{ source: origin.url }] } };
  const { json } = await postUntilHit(service, body);
  const { events } = await postStream(service, body);
  assert.equal(asked, 2);
  const { data } = events.at(-2)!;
  assert.deepEqual(Object.keys(data), ['rules', 'ruleCount', 'previousVersion']);
  assert.equal((data['rules'] as string[]).at(-1), '||version-2.example^');
  const { rules, ruleCount, compiledAt } = json;
  assert.deepEqual(data['previousVersion'], { rules, ruleCount, compiledAt });
  assert.deepEqual(Object.keys(data['previousVersion'] as object), ['rules', 'ruleCount', 'compiledAt']);
});
