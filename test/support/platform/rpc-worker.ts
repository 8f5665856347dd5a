import { parentPort } from 'node:worker_threads';
import { createRpc, moving } from '../../../src/platform/worker-rpc.ts';

/** Requests of the tests of worker-rpc.ts and shared-thread.ts. */
export type TestRequest =
  | { readonly do: 'return'; readonly value: unknown }
  | { readonly do: 'move'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The size of the bytes of the latest `move`. */
  | { readonly do: 'return size of moved' }
  | { readonly do: 'emit'; readonly words: readonly string[] }
  | { readonly do: 'fail'; readonly code: string }
  | { readonly do: 'return a function' }
  | { readonly do: 'wait for abort' }
  | { readonly do: 'throw outside' }
  | { readonly do: 'exit' };

type Handlers = {
  readonly [Do in TestRequest['do']]: (
    request: Extract<TestRequest, { do: Do }>,
    answering: { readonly signal: AbortSignal; readonly emit: (word: string) => void },
  ) => unknown;
};

let moved = new Uint8Array();

const handlers: Handlers = {
  return: ({ value }) => value,
  move: ({ bytes }) => {
    moved = bytes;
    return moving(bytes, [bytes.buffer]);
  },
  'return size of moved': () => moved.byteLength,
  emit: ({ words }, { emit }) => {
    for (const word of words) emit(word);
    return words.length;
  },
  fail: ({ code }) => {
    throw Object.assign(new Error('failed on purpose'), { code });
  },
  'return a function': () => () => undefined,
  'wait for abort': (_, { signal, emit }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve('aborted'));
      emit('waiting');
    }),
  'throw outside': () =>
    new Promise(() => {
      setImmediate(() => {
        throw new Error('thrown on purpose');
      });
    }),
  exit: () => process.exit(3),
};

createRpc<never, TestRequest, string>(parentPort!, (request, answering) =>
  handlers[request.do](request as never, answering),
);
