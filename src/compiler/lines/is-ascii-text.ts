import { createKernels, type Kernels } from './kernels.ts';

let kernels: Kernels | undefined;

/** Whether all bytes are ASCII. */
export function isAsciiText(bytes: Uint8Array): boolean {
  kernels ??= createKernels();
  const start = kernels.textStart.value;
  const room = new Uint8Array(kernels.memory.buffer, start);
  for (let at = 0; at < bytes.length; at += room.length) {
    const part = bytes.subarray(at, at + room.length);
    room.set(part);
    if (kernels.isAscii(start, start + part.length) === 0) return false;
  }
  return true;
}
