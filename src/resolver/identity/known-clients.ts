import type { Question } from '../../dns/question.ts';
import { EVERYBODY, type KnownLesson, type Lesson } from '../../dns-server/thread-messages.ts';
import type { Asked } from '../transport/listener.ts';
import { DROP, LATER, STRANGER, type Standing, type Stands } from './client.ts';

type Entry = {
  readonly lesson: Lesson;
  readonly stands: Stands;
};

const MOST_CLIENTS = 50_000;
const MOST_PROFILES = 20_000;

/**
 * Whom a udp thread has been told of. What it was told holds until the account changes, or somebody who may be the same client: the
 * counters of changes in shared memory say so, and then the dns thread is asked again.
 */
export function knownClients(epochs: Int32Array, standing: (known: KnownLesson) => Standing) {
  const entries = new Map<number, Entry>();
  const profiles = new Map<number, KnownLesson['known']['profile']>();

  /** Profiles of one version are one object: what is made of it is made once. The account may be another all the same. */
  const withOneProfile = (lesson: KnownLesson): KnownLesson => {
    const before = profiles.get(lesson.profileVersion);
    if (!before) {
      if (profiles.size >= MOST_PROFILES) profiles.clear();
      profiles.set(lesson.profileVersion, lesson.known.profile);
      return lesson;
    }
    return { ...lesson, known: { ...lesson.known, profile: before } };
  };

  const isValid = ({ lesson }: Entry): boolean =>
    Atomics.load(epochs, EVERYBODY) === lesson.everybodysEpoch && Atomics.load(epochs, lesson.slot) === lesson.epoch;

  return {
    learn(lesson: Lesson): void {
      if (entries.size >= MOST_CLIENTS) entries.clear();
      const { stands } = lesson;
      const made =
        stands.kind === 'known' ? standing(withOneProfile(stands)) : stands.kind === 'drop' ? DROP : STRANGER;
      const { client, local, device } = lesson;
      entries.set(hashOf(client, local, device, 0, device.length), { lesson, stands: made });
    },
    standingOf: ({ client, local, bytes }: Asked, { deviceAt, deviceLength }: Question): Stands => {
      const entry = entries.get(hashOf(client, local, bytes, deviceAt, deviceLength));
      if (!entry || !isValid(entry)) return LATER;
      const { lesson } = entry;
      const isSame =
        isEqual(lesson.client, client, 0, client.length) &&
        isEqual(lesson.local, local, 0, local.length) &&
        isEqual(lesson.device, bytes, deviceAt, deviceLength);
      return isSame ? entry.stands : LATER;
    },
  };
}

function isEqual(known: Uint8Array, bytes: Uint8Array, at: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i++) if (known[i] !== bytes[at + i]) return false;
  return true;
}

function hashOf(client: Uint8Array, local: Uint8Array, bytes: Uint8Array, at: number, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < client.length; i++) hash = Math.imul(hash ^ client[i]!, 0x01000193);
  for (let i = 0; i < local.length; i++) hash = Math.imul(hash ^ local[i]!, 0x01000193);
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[at + i]!, 0x01000193);
  return hash;
}
