import type { IncomingMessage } from 'node:http';
import { decodeBody, parseCoding } from './decode-body.ts';
import type { Fail } from './download-error.ts';
import type { DownloadSettings } from './download-settings.ts';

export type Progress = { receivedBytes: number; totalBytes?: number };

export type Reading = { settings: DownloadSettings; onProgress: (progress: Progress) => void; fail: Fail };

// Small bodies may have any ratio: a list of ten thousand equal lines is not an attack.
const RATIO_MATTERS_FROM_BYTES = 10 * 1024 * 1024;

/** The whole decoded body. Stops at the first byte over a limit, regardless of Content-Length. */
export async function readBody(response: IncomingMessage, reading: Reading): Promise<Uint8Array> {
  const { settings, onProgress, fail } = reading;
  const { maxWireBytes, maxBytes, maxRatio } = settings;
  const promised = response.headers['content-length'];
  const totalBytes = promised === undefined ? undefined : Number(promised);
  // Some servers label an empty body with a coding although it lacks that coding's header.
  const coding = totalBytes === 0 ? 'none' : parseCoding(response.headers['content-encoding']);
  if (coding === 'unsupported') throw fail({ kind: 'bad encoding' });
  if (totalBytes !== undefined && totalBytes > maxWireBytes) throw fail({ kind: 'too large' });

  let receivedBytes = 0;
  async function* wire(): AsyncGenerator<Buffer> {
    for await (const chunk of received(response, fail)) {
      receivedBytes += chunk.length;
      if (receivedBytes > maxWireBytes) throw fail({ kind: 'too large' });
      onProgress(totalBytes === undefined ? { receivedBytes } : { receivedBytes, totalBytes });
      yield chunk;
    }
  }

  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of coding === 'none' ? wire() : decodeBody(wire(), coding, fail)) {
    size += chunk.length;
    const swells = size > RATIO_MATTERS_FROM_BYTES && size > receivedBytes * maxRatio;
    if (size > maxBytes || swells) throw fail({ kind: 'too large' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Fails unless all announced bytes have arrived. */
async function* received(response: AsyncIterable<Buffer>, fail: Fail): AsyncGenerator<Buffer> {
  try {
    yield* response;
  } catch {
    // The body ended early. A parser error is not used as the cause, because it contains the invalid bytes.
    throw fail({ kind: 'truncated' });
  }
}
