import { mixedCase } from '../../dns/case-randomization.ts';
import { rcodes } from '../../dns/numbers.ts';
import type { ClientCookies } from './client-cookies.ts';
import type { Exchange, ExchangeCounters, Exchanged } from './exchange.ts';
import type { Random } from './random.ts';
import { readAnswer } from './read-answer.ts';
import type { SentNames } from './sent-names.ts';
import type { UdpSockets } from './udp-sockets.ts';
import { failed } from './upstream-answer.ts';
import { queryBytes } from './upstream-query.ts';

const MAX_MISMATCHES = 3;
const MAX_SENDS = 2;
// Time to wait for the real answer after a mismatched reply with our id. Without another reply, the upstream itself sent the mismatch.
const REAL_REPLY_WITHIN_MS = 150;
/** One random bit for each byte of the longest name. */
const CASE_BYTES = 32;

/** UDP responses can be spoofed, so all fields of a response must match, and mismatches do not end the query. */
export function udpExchange(
  sockets: UdpSockets,
  {
    random,
    counters,
    mixesCase,
    cookies,
    sent,
  }: {
    random: Random;
    counters: ExchangeCounters;
    mixesCase: boolean;
    cookies: ClientCookies | undefined;
    sent: SentNames;
  },
): Exchange {
  return (question, { edns, signal }) =>
    new Promise<Exchanged>((resolve) => {
      let mismatches = 0;
      let sends = 0;
      let release = (): void => {};
      let patience: NodeJS.Timeout | undefined;
      const settle = (outcome: Exchanged): void => {
        release();
        clearTimeout(patience);
        signal.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const giveUp = (): void => settle(failed('timeout', 'no answer in time'));
      let isCaseLost = true;
      let isCookieLost = true;
      const suspect = (): void => settle({ kind: 'suspicious', isCaseLost, isCookieLost });
      const notIt = (why: 'mismatch' | 'case' | 'cookie' | 'malformed'): void => {
        if (why !== 'case') isCaseLost = false;
        if (why !== 'cookie') isCookieLost = false;
        if (why === 'malformed') counters.malformed++;
        else counters.mismatches++;
        mismatches++;
        if (mismatches === MAX_MISMATCHES) suspect();
      };

      const send = (): void => {
        sends++;
        const sentName = mixesCase ? mixedCase(question.name, random.bytes(CASE_BYTES)) : undefined;
        const sentHash = sentName ? sent.add(sentName) : 0;
        const leave = sockets.send(
          (id) =>
            queryBytes(sentName ? { ...question, name: sentName } : question, {
              id,
              edns,
              ...(cookies && { cookie: cookies.option() }),
            }),
          {
            receive(packet) {
              const read = readAnswer(packet, {
                question,
                trusted: false,
                cookies: edns ? cookies : undefined,
                ...(sentName && { sentName }),
              });
              if (read.kind === 'not it') {
                // It has our id, so it is most likely from the upstream, and no better reply follows.
                patience ??= setTimeout(suspect, REAL_REPLY_WITHIN_MS);
                notIt(read.why);
              } else if (read.kind === 'answer' && read.message.rcode === rcodes.BADCOOKIE) {
                // Retry with the server cookie, which is known now. If it is rejected too, use TCP, which needs no cookie.
                release();
                if (sends < MAX_SENDS) send();
                else settle({ kind: 'truncated' });
              } else settle(read.kind === 'bad' ? failed('malformed', read.why) : read);
            },
            stray: () => notIt('mismatch'),
            fail(error) {
              // ICMP errors can be forged, so the port is treated as closed only after the second one.
              release();
              if (sends < MAX_SENDS) send();
              else settle(failed('unreachable', error.message));
            },
          },
        );
        release = (): void => {
          sent.remove(sentHash);
          leave();
        };
      };

      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      send();
    });
}
