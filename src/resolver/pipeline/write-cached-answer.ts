import type { Draft } from '../../dns/answers.ts';
import type { Question } from '../../dns/question.ts';
import type { Asked } from '../transport/listener.ts';
import type { Replies } from './reply.ts';

/** An answer as it is kept: a message without OPT, and where in it times of life stand. */
export type KeptMessage = {
  bytes: Uint8Array;
  at: number;
  length: number;
  /** Where the offsets of the times stand, two bytes each, little end first. */
  offsets: DataView;
  offsetsAt: number;
  offsetCount: number;
};

/** What OPT, a cookie and a short reason take. */
const OPT_ROOM = 128;
const FLAGS_LOW = 3;
const AUTHENTIC = 0x20;

/**
 * Writes the answer to a question from what is kept of it, each time of life less by `ageSeconds` or, where that is given,
 * `staleTtl`. Gives the length, or -1 when it does not fit. Nothing here allocates.
 */
export function writeKept(
  replies: Replies,
  draft: Draft,
  asked: Asked,
  question: Question,
  kept: KeptMessage,
  ageSeconds: number,
  place: { readonly into: Uint8Array; readonly at: number; readonly room: number },
  nowMs: number,
  why?: Uint8Array,
  staleTtl = -1,
): number {
  const { into, at, room } = place;
  const allowed = replies.allowed(asked, question, room);
  if (kept.length + (question.edns ? OPT_ROOM : 0) > allowed) return -1;
  const code = kept.bytes[kept.at + FLAGS_LOW]! & 0xf;
  const isAuthentic = (kept.bytes[kept.at + FLAGS_LOW]! & AUTHENTIC) !== 0;
  replies.start(draft, asked, question, into, at, allowed, code);
  // The question is already there, in the client's own spelling; what follows it is the same for everybody.
  const questionLength = question.questionEnd - question.at;
  for (let i = questionLength; i < kept.length; i++) into[at + i] = kept.bytes[kept.at + i]!;
  for (let i = 6; i < 12; i++) into[at + i] = kept.bytes[kept.at + i]!;
  if (isAuthentic && (question.dnssecOk || question.authenticData)) into[at + FLAGS_LOW]! |= AUTHENTIC;
  draft.end = at + kept.length;
  writeTtls(into, at, kept, ageSeconds, staleTtl);
  return replies.finish(draft, asked, question, code, nowMs, why);
}

function writeTtls(into: Uint8Array, at: number, kept: KeptMessage, ageSeconds: number, staleTtl: number): void {
  for (let i = 0; i < kept.offsetCount; i++) {
    const place = at + kept.offsets.getUint16(kept.offsetsAt + i * 2, true);
    const given = ((into[place]! << 24) | (into[place + 1]! << 16) | (into[place + 2]! << 8) | into[place + 3]!) >>> 0;
    const left = staleTtl >= 0 ? staleTtl : given > ageSeconds ? given - ageSeconds : 0;
    into[place] = left >>> 24;
    into[place + 1] = left >>> 16;
    into[place + 2] = left >>> 8;
    into[place + 3] = left;
  }
}
