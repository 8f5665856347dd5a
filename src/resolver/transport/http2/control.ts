import type { Allowances } from './allowance.ts';
import {
  type Fault,
  faults,
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
  const calmly = (): Fault | undefined => (mayTalk() ? undefined : faults.calm);

  const onSetting = (setting: number, value: number): Fault | undefined => {
    if (setting === settings.enablePush) return value > 1 ? faults.protocol : undefined;
    // Not stored: we never send frames longer than the minimum that every client accepts.
    if (setting === settings.maxFrame) return value < MAX_FRAME || value >= 2 ** 24 ? faults.protocol : undefined;
    return setting === settings.initialWindow ? streams.setStreamWindow(value) : undefined;
  };

  const onSettings: TakeFrame = (flag, id, bytes, at, end) => {
    const isAck = (flag & flags.ack) !== 0;
    if (id !== 0) return faults.protocol;
    if ((end - at) % SETTING_BYTES !== 0 || (isAck && at !== end)) return faults.frameSize;
    for (let entryAt = at; entryAt < end; entryAt += SETTING_BYTES) {
      const fault = onSetting(bytes.readUInt16BE(entryAt), bytes.readUInt32BE(entryAt + 2));
      if (fault !== undefined) return fault;
    }
    if (!isAck) outbox.frame(frameTypes.settings, flags.ack, 0);
    streams.sendWaiting();
    return calmly();
  };

  const onPing: TakeFrame = (flag, id, bytes, at, end) => {
    if (id !== 0) return faults.protocol;
    if (end - at !== PING_BYTES) return faults.frameSize;
    if ((flag & flags.ack) === 0)
      outbox.frame(frameTypes.ping, flags.ack, 0, bytes.readInt32BE(at), bytes.readInt32BE(at + WORD_BYTES));
    return calmly();
  };

  const onWindowUpdate: TakeFrame = (_flag, id, bytes, at, end) => {
    if (end - at !== WORD_BYTES) return faults.frameSize;
    if (id !== 0 && !requests.wasOpened(id)) return faults.protocol;
    if (!mayWiden()) return faults.calm;
    const more = readLong(bytes, at);
    const stream = streams.open.get(id);
    if (id === 0) {
      const fault = more === 0 ? faults.protocol : streams.widen(more);
      if (fault === undefined) streams.sendWaiting();
      return fault;
    }
    const fault = stream && (more === 0 ? faults.protocol : streams.widenStream(stream, more));
    return stream && fault !== undefined ? requests.resetFor(stream, fault) : undefined;
  };

  const onReset: TakeFrame = (_flag, id, _bytes, at, end) => {
    if (end - at !== WORD_BYTES) return faults.frameSize;
    if (!requests.wasOpened(id)) return faults.protocol;
    const stream = streams.open.get(id);
    if (stream) streams.forget(stream);
    return mayReset() ? undefined : faults.calm;
  };

  // Priorities are ignored (RFC 9113, 5.3.2).
  const onPriority: TakeFrame = (_flag, id, _bytes, at, end) => {
    if (id === 0) return faults.protocol;
    return end - at === PRIORITY_BYTES ? calmly() : faults.frameSize;
  };

  // A client that sends GOAWAY still gets its pending responses.
  const onGoAway: TakeFrame = (_flag, id) => (id === 0 ? calmly() : faults.protocol);

  return { onSettings, onPing, onWindowUpdate, onReset, onPriority, onGoAway, onUnknown: calmly };
}
