import { datagramLimit } from '../../dns/accept.ts';
import { appendOpt, appendOption, appendPadding, type Draft, startAnswer } from '../../dns/answers.ts';
import { COOKIE_LENGTH, writeCookie } from '../../dns/cookies.ts';
import { extendedErrorOption, keepaliveOption, paddingBlocks } from '../../dns/edns.ts';
import { optionCodes } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import type { Asked } from '../transport/listener.ts';

/** What every answer needs besides what it says. */
export type ReplySettings = {
  /** 16 bytes, the same on all nodes, for the cookies we hand out. */
  readonly cookieSecret: Uint8Array;
  /** How long a connection may be idle, as clients are told. */
  readonly idleSeconds: number;
};

const MAX_MESSAGE = 65_535;
const TENTHS = 10;

/** Beginnings and ends of answers. One for a thread: it is used again and again. */
export function createReplies({ cookieSecret, idleSeconds }: ReplySettings) {
  const cookie = new Uint8Array(COOKIE_LENGTH);
  const keepalive = keepaliveOption(idleSeconds * TENTHS).data;

  return {
    /** As long as it may be: what the client can take on UDP, anything elsewhere. */
    allowed: (asked: Asked, question: Question, room: number): number =>
      Math.min(room, asked.transport === 'udp' ? datagramLimit(question) : MAX_MESSAGE),

    start(draft: Draft, asked: Asked, question: Question, into: Uint8Array, at: number, length: number, code: number) {
      draft.bytes = into;
      startAnswer(draft, at, length, question, asked.bytes, code);
    },

    /** What EDNS adds, and the reason where there is one; gives the length of the whole. */
    finish(draft: Draft, asked: Asked, question: Question, code: number, nowMs: number, why?: Uint8Array): number {
      if (!question.edns) return draft.end - draft.start;
      appendOpt(draft, question, code);
      if (why) appendOption(draft, optionCodes.extendedError, why);
      if (question.cookieLength > 0) {
        const seconds = (nowMs / 1000) >>> 0;
        writeCookie(
          cookie,
          0,
          { bytes: asked.bytes, cookieAt: question.cookieAt },
          asked.client,
          cookieSecret,
          seconds,
        );
        appendOption(draft, optionCodes.cookie, cookie);
      }
      const isConnection = asked.transport !== 'udp';
      if (question.keepaliveAsked && isConnection && asked.transport !== 'doh')
        appendOption(draft, optionCodes.keepalive, keepalive);
      const isEncrypted = asked.transport === 'dot' || asked.transport === 'doh';
      if (question.paddingAsked && isEncrypted) appendPadding(draft, paddingBlocks.answer);
      return draft.end - draft.start;
    },
  };
}

export type Replies = ReturnType<typeof createReplies>;

/** The data of an extended error, made once and sent often. */
export const reason = (code: number, text = ''): Uint8Array => extendedErrorOption({ code, text }).data;
