import type { Allowances } from './allowance.ts';
import {
  type ErrorCode,
  errorCodes,
  flags,
  frameTypes,
  MAX_FRAME,
  readLong,
  settings,
  type TakeFrame,
} from './http2-frames.ts';
import type { Outbox } from './outbox.ts';
import type { Requests } from './requests.ts';
import type { Streams } from './streams.ts';

export type ControlDeps = {
  readonly streams: Streams;
  readonly requests: Pick<Requests, 'wasOpened' | 'resetFor'>;
  readonly allowances: Allowances;
  readonly outbox: Outbox;
};

const SETTING_BYTES = 6;
const PING_BYTES = 8;
const PRIORITY_BYTES = 5;
const WORD_BYTES = 4;

/** Handles the frames that are not part of a request. */
export function createControl({ streams, requests, allowances, outbox }: ControlDeps) {
  const { mayReset, mayTalk, mayWiden } = allowances;
  const calmly = (): ErrorCode | undefined => (mayTalk() ? undefined : errorCodes.enhanceYourCalm);

  const onSetting = (setting: number, value: number): ErrorCode | undefined => {
    if (setting === settings.enablePush) return value > 1 ? errorCodes.protocol : undefined;
    // Ignored: we never send frames longer than the minimum that every client accepts.
    if (setting === settings.maxFrame) return value < MAX_FRAME || value >= 2 ** 24 ? errorCodes.protocol : undefined;
    return setting === settings.initialWindow ? streams.setStreamWindow(value) : undefined;
  };

  const onSettings: TakeFrame = (flag, id, bytes, at, end) => {
    const isAck = (flag & flags.ack) !== 0;
    if (id !== 0) return errorCodes.protocol;
    if ((end - at) % SETTING_BYTES !== 0 || (isAck && at !== end)) return errorCodes.frameSize;
    for (let entryAt = at; entryAt < end; entryAt += SETTING_BYTES) {
      const errorCode = onSetting(bytes.readUInt16BE(entryAt), bytes.readUInt32BE(entryAt + 2));
      if (errorCode !== undefined) return errorCode;
    }
    if (!isAck) outbox.frame(frameTypes.settings, flags.ack, 0);
    streams.sendWaiting();
    return calmly();
  };

  const onPing: TakeFrame = (flag, id, bytes, at, end) => {
    if (id !== 0) return errorCodes.protocol;
    if (end - at !== PING_BYTES) return errorCodes.frameSize;
    if ((flag & flags.ack) === 0)
      outbox.frame(frameTypes.ping, flags.ack, 0, bytes.readInt32BE(at), bytes.readInt32BE(at + WORD_BYTES));
    return calmly();
  };

  const onWindowUpdate: TakeFrame = (_flag, id, bytes, at, end) => {
    if (end - at !== WORD_BYTES) return errorCodes.frameSize;
    if (id !== 0 && !requests.wasOpened(id)) return errorCodes.protocol;
    if (!mayWiden()) return errorCodes.enhanceYourCalm;
    const more = readLong(bytes, at);
    const stream = streams.open.get(id);
    if (id === 0) {
      const errorCode = more === 0 ? errorCodes.protocol : streams.widen(more);
      if (errorCode === undefined) streams.sendWaiting();
      return errorCode;
    }
    const errorCode = stream && (more === 0 ? errorCodes.protocol : streams.widenStream(stream, more));
    return stream && errorCode !== undefined ? requests.resetFor(stream, errorCode) : undefined;
  };

  const onReset: TakeFrame = (_flag, id, _bytes, at, end) => {
    if (end - at !== WORD_BYTES) return errorCodes.frameSize;
    if (!requests.wasOpened(id)) return errorCodes.protocol;
    const stream = streams.open.get(id);
    if (stream) streams.forget(stream);
    return mayReset() ? undefined : errorCodes.enhanceYourCalm;
  };

  // Priorities are ignored (RFC 9113, 5.3.2).
  const onPriority: TakeFrame = (_flag, id, _bytes, at, end) => {
    if (id === 0) return errorCodes.protocol;
    return end - at === PRIORITY_BYTES ? calmly() : errorCodes.frameSize;
  };

  // After GOAWAY, the client still gets its pending responses.
  const onGoAway: TakeFrame = (_flag, id) => (id === 0 ? calmly() : errorCodes.protocol);

  return { onSettings, onPing, onWindowUpdate, onReset, onPriority, onGoAway, onUnknown: calmly };
}
