// The thread that asks for a compilation and keeps its list, so that the page stays quick however long the list is.
import { readEvents } from './event-stream.ts';
import { differenceOf, isRule } from './list-difference.ts';
import type {
  CompileProblem,
  DroppedRule,
  FromWorker,
  Order,
  Question,
  ShownLines,
  ToWorker,
} from './worker-messages.ts';

type Unsaid = Omit<DroppedRule, 'step'>;

type Result = {
  readonly rules: readonly string[];
  readonly metrics?: { readonly totalDurationMs: number; readonly sources: readonly { readonly lines: number }[] };
  readonly previousVersion?: { readonly rules: readonly string[]; readonly compiledAt: string };
  readonly dropped?: readonly DroppedRule[];
  readonly unsaid?: readonly Unsaid[];
};

type Shelf = Record<ShownLines, readonly string[]>;
const empty: Shelf = { list: [], found: [], added: [], removed: [] };

// Events that the page draws; of the log it shows nothing, and the list stays here.
const drawn = new Set([
  'source:start',
  'source:complete',
  'source:error',
  'progress',
  'transformation:start',
  'transformation:complete',
]);

let shelf = empty;
let lastOrder: Order | undefined;
let underway: AbortController | undefined;

const tell = (message: FromWorker): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'compile':
      void compile(data.order);
      return;
    case 'cancel':
      underway?.abort();
      return;
    case 'ask':
      tell({ kind: 'answer', id: data.id, answer: answer(data.question) });
  }
});

async function compile(order: Order): Promise<void> {
  underway?.abort();
  const mine = new AbortController();
  underway = mine;
  try {
    const response = await fetch('/compile/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...order, explain: true, benchmark: true }),
      signal: mine.signal,
    });
    if (!response.ok || !response.body) {
      tell({ kind: 'failed', problem: await problemOf(response) });
      return;
    }
    await follow(response.body, order);
  } catch (error) {
    if (mine.signal.aborted) return;
    if (!(error instanceof TypeError)) throw error;
    tell({ kind: 'failed', problem: { kind: 'unreachable' } });
  }
}

async function follow(body: ReadableStream<Uint8Array>, order: Order): Promise<void> {
  for await (const { name, data } of readEvents(body)) {
    if (drawn.has(name)) tell({ kind: 'event', name, data: JSON.parse(data) });
    if (name === 'error') {
      const { error } = JSON.parse(data) as { error: string };
      tell({ kind: 'failed', problem: { kind: 'refused', message: error, details: [] } });
      return;
    }
    if (name === 'result') {
      keep(JSON.parse(data) as Result, order);
      return;
    }
  }
  // It ended in the middle.
  tell({ kind: 'failed', problem: { kind: 'unreachable' } });
}

function keep({ rules, metrics, previousVersion, dropped = [], unsaid = [] }: Result, order: Order): void {
  // What the service keeps of this very configuration; else what was compiled here before, under the same name.
  const isSameList = lastOrder?.configuration.name === order.configuration.name && lastOrder.format === order.format;
  const before = previousVersion?.rules ?? (isSameList ? shelf.list : undefined);
  const difference = before && differenceOf(before, rules);
  shelf = { list: rules, found: [], added: difference?.added ?? [], removed: difference?.removed ?? [] };
  lastOrder = order;
  tell({
    kind: 'finished',
    summary: {
      lines: rules.length,
      rules: rules.reduce((count, line) => (isRule(line) ? count + 1 : count), 0),
      bytes: rules.reduce((sum, line) => sum + line.length + 1, 0),
      durationMs: metrics?.totalDurationMs ?? 0,
      linesRead: metrics?.sources.reduce((sum, { lines }) => sum + lines, 0) ?? 0,
      dropped: [...dropped, ...unsaid.map((rule) => ({ ...rule, step: order.format }))],
      difference: difference && {
        added: difference.added.length,
        removed: difference.removed.length,
        before: previousVersion?.compiledAt,
      },
    },
  });
}

function answer(question: Question): unknown {
  switch (question.kind) {
    case 'lines':
      return shelf[question.of].slice(question.from, question.to);
    case 'find': {
      const wanted = question.text.toLowerCase();
      shelf = { ...shelf, found: shelf.list.filter((line) => line.toLowerCase().includes(wanted)) };
      return shelf.found.length;
    }
    case 'file':
      return new Blob([shelf.list.join('\n')], { type: 'text/plain' });
  }
}

async function problemOf(response: Response): Promise<CompileProblem> {
  if (response.status === 429) return { kind: 'slowDown', seconds: Number(response.headers.get('retry-after')) || 60 };
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const { error = response.statusText, details = [] } = isJson
    ? ((await response.json()) as { error?: string; details?: { path: string; message: string }[] })
    : {};
  return { kind: 'refused', message: error, details };
}
