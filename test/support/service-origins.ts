import type { RequestListener, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { httpOrigin } from './net/origin.ts';

const plainText = { 'content-type': 'text/plain' };

/** Answers so much later. */
export const saysLater =
  (ms: number, text: string): RequestListener =>
  (_request, response) =>
    void setTimeout(ms).then(() => response.writeHead(200, plainText).end(text));

/** A server that answers only when `answer` is called. */
export async function patientOrigin(t: TestContext) {
  const waiting: ServerResponse[] = [];
  const origin = await httpOrigin(t, (_request, response) => void waiting.push(response));
  const isAsked = async (): Promise<void> => {
    while (waiting.length === 0) await setTimeout(10);
  };
  return {
    ...origin,
    waiting,
    isAsked,
    /** Answers all waiting requests, after the first has arrived. */
    answer: async (text: string): Promise<void> => {
      await isAsked();
      for (const response of waiting) response.writeHead(200, plainText).end(text);
    },
  };
}

/** A server whose list has versions with ETags; it records the status of each response. */
export async function versionedOrigin(t: TestContext) {
  const said: number[] = [];
  const state = { version: 1, status: 200, released: Promise.resolve() };
  const origin = await httpOrigin(t, (request, response) => {
    const etag = `"v${state.version}"`;
    const status = state.status === 200 && request.headers['if-none-match'] === etag ? 304 : state.status;
    said.push(status);
    const text = status === 200 ? `||version-${state.version}.example^\n` : undefined;
    void state.released.then(() => response.writeHead(status, { ...plainText, etag }).end(text));
  });
  return { source: `${origin.url}list.txt`, said, state };
}
