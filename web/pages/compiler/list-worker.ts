// Worker that compiles and holds the list, so that large lists do not block the page.
import { readEvents } from './event-stream.ts';
import { diffLists, isRule } from './list-difference.ts';
import type {
  CompileError,
  CompileJob,
  DroppedRule,
  FromWorker,
  LineSet,
  ToWorker,
  WorkerQuery,
} from './worker-messages.ts';

type UnsupportedRule = Omit<DroppedRule, 'step'>;

type Result = {
  readonly rules: readonly string[];
  readonly metrics?: { readonly totalDurationMs: number; readonly sources: readonly { readonly lines: number }[] };
  readonly previousVersion?: { readonly rules: readonly string[]; readonly compiledAt: string };
  readonly dropped?: readonly DroppedRule[];
  readonly unsupported?: readonly UnsupportedRule[];
};

type StreamError = {
  readonly error: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
};

type LineSets = Record<LineSet, readonly string[]>;
const empty: LineSets = { list: [], found: [], added: [], removed: [] };

// Events that the page displays.
const forwardedEvents = new Set([
  'source:start',
  'source:complete',
  'source:error',
  'progress',
  'transformation:start',
  'transformation:complete',
]);

let lines = empty;
let lastJob: CompileJob | undefined;
let running: AbortController | undefined;

const post = (message: FromWorker): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'compile':
      void compile(data.job);
      return;
    case 'cancel':
      running?.abort();
      return;
    case 'query':
      post({ kind: 'answer', id: data.id, answer: answerQuery(data.query) });
  }
});

async function compile(job: CompileJob): Promise<void> {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  try {
    const response = await fetch('/compile/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...job, explain: true, benchmark: true }),
      signal: controller.signal,
    });
    if (!response.ok || !response.body) {
      post({ kind: 'failed', problem: await problemOf(response) });
      return;
    }
    await readStream(response.body, job);
  } catch (error) {
    if (controller.signal.aborted) return;
    if (!(error instanceof TypeError)) throw error;
    post({ kind: 'failed', problem: { kind: 'unreachable' } });
  }
}

async function readStream(body: ReadableStream<Uint8Array>, job: CompileJob): Promise<void> {
  for await (const { name, data } of readEvents(body)) {
    if (forwardedEvents.has(name)) post({ kind: 'event', name, data: JSON.parse(data) });
    if (name === 'error') {
      const { error, details = [] } = JSON.parse(data) as StreamError;
      post({ kind: 'failed', problem: { kind: 'refused', message: error, details } });
      return;
    }
    if (name === 'result') {
      storeResult(JSON.parse(data) as Result, job);
      return;
    }
  }
  // The stream ended without a result.
  post({ kind: 'failed', problem: { kind: 'unreachable' } });
}

function storeResult(
  { rules, metrics, previousVersion, dropped = [], unsupported = [] }: Result,
  job: CompileJob,
): void {
  // The previous version that the service stored for this configuration, or else the last list compiled here under the same
  // name.
  const isSameList = lastJob?.configuration.name === job.configuration.name && lastJob.format === job.format;
  const before = previousVersion?.rules ?? (isSameList ? lines.list : undefined);
  const difference = before && diffLists(before, rules);
  lines = { list: rules, found: [], added: difference?.added ?? [], removed: difference?.removed ?? [] };
  lastJob = job;
  post({
    kind: 'finished',
    summary: {
      lines: rules.length,
      rules: rules.reduce((count, line) => (isRule(line) ? count + 1 : count), 0),
      bytes: rules.reduce((sum, line) => sum + line.length + 1, 0),
      durationMs: metrics?.totalDurationMs ?? 0,
      linesRead: metrics?.sources.reduce((sum, { lines }) => sum + lines, 0) ?? 0,
      dropped: [...dropped, ...unsupported.map((rule) => ({ ...rule, step: job.format }))],
      difference: difference && {
        added: difference.added.length,
        removed: difference.removed.length,
        before: previousVersion?.compiledAt,
      },
    },
  });
}

function answerQuery(query: WorkerQuery): unknown {
  switch (query.kind) {
    case 'lines':
      return lines[query.of].slice(query.from, query.to);
    case 'find': {
      const text = query.text.toLowerCase();
      lines = { ...lines, found: lines.list.filter((line) => line.toLowerCase().includes(text)) };
      return lines.found.length;
    }
    case 'file':
      return new Blob([lines.list.join('\n')], { type: 'text/plain' });
  }
}

async function problemOf(response: Response): Promise<CompileError> {
  if (response.status === 429) return { kind: 'slowDown', seconds: Number(response.headers.get('retry-after')) || 60 };
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const { error = response.statusText, details = [] } = isJson
    ? ((await response.json()) as { error?: string; details?: { path: string; message: string }[] })
    : {};
  return { kind: 'refused', message: error, details };
}
