import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const FAST = { level: 1, chunkSize: 2 ** 18 } as const;
const compress = promisify(gzip);

/** Compresses the body of an insert outside of this thread, which reads its rings meanwhile. */
export const compressBody = (body: string | Uint8Array): Promise<Uint8Array> => compress(body, FAST);
