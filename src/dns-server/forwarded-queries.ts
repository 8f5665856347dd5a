import { accept } from '../dns/accept.ts';
import { newQuestion } from '../dns/question.ts';
import type { Standings } from '../resolver/identity/client-registry.ts';
import type { Answers, Asked, Tell } from '../resolver/transport/listener.ts';
import { sendOn } from '../resolver/transport/send-on.ts';
import { readMisses } from '../resolver/transport/udp-forwarded.ts';
import { waitingClients } from './pending-limit.ts';
import { EVERYBODY, type Lesson, type ToUdp, type UdpLink } from './thread-messages.ts';
import type { MissesMessage } from './udp-messages.ts';

const MOST_ANSWER = 1232;
const LATE_MS = 1_900;
const MOST_TAUGHT = 50_000;

/** Answers what a udp thread could not, on its own socket, and tells it of the client so that next time it can. */
export function answerMisses(link: UdpLink, answers: Answers, standings: Standings, epochs: Int32Array, tell: Tell) {
  const mail = new Int32Array(link.mail);
  const question = newQuestion();
  const into = new Uint8Array(MOST_ANSWER);
  const waiting = waitingClients();

  const post = (message: ToUdp): void => {
    link.mailbox.postMessage(message);
    // After the letter: whoever sees the count finds the letter.
    Atomics.add(mail, 0, 1);
  };

  const taught = new Map<string, string>();
  /** A lesson is long: it is given once, and again only when it has become old. */
  const isNews = (client: Uint8Array, local: Uint8Array, device: Uint8Array, epochs: string): boolean => {
    const key = [client, local, device].map((bytes) => Buffer.from(bytes).toString('latin1')).join('|');
    if (taught.get(key) === epochs) return false;
    if (taught.size >= MOST_TAUGHT) taught.clear();
    taught.set(key, epochs);
    return true;
  };

  const teach = (asked: Asked): void => {
    if (accept(asked.bytes, asked.at, asked.length, question) !== 'ok') return;
    // Before anybody is looked up: what changes in between makes the lesson old, and not the other way round.
    const everybodysEpoch = Atomics.load(epochs, EVERYBODY);
    const lesson = standings.lesson(standings.standsNow(asked, question));
    if (!lesson) return;
    const { deviceAt, deviceLength } = question;
    const [client, local] = [asked.client.slice(), asked.local.slice()];
    const device = asked.bytes.slice(deviceAt, deviceAt + deviceLength);
    const epoch = Atomics.load(epochs, lesson.slot);
    if (!isNews(client, local, device, `${epoch} ${everybodysEpoch}`)) return;
    post({ kind: 'lesson', client, local, device, ...lesson, epoch, everybodysEpoch } satisfies Lesson);
  };

  const send = (fd: number, bytes: Uint8Array, peer: Uint8Array): void => void sendOn(fd, bytes, peer);

  const answer = (fd: number, asked: Asked, peer: Uint8Array): void => {
    const length = answers.atOnce(asked, into, 0, MOST_ANSWER);
    if (length > 0) send(fd, into.subarray(0, length), peer);
    if (length >= 0) return;
    const ticket = waiting.enter(asked.client);
    if (!ticket) return;
    const since = performance.now();
    answers.later(asked, (bytes) => {
      ticket.leave();
      // Answers that were held back and come all at once are a weapon (DNSBomb): who has many waiting gets none that late.
      const isLate = performance.now() - since > LATE_MS && ticket.isBusy();
      if (bytes && !isLate) send(fd, bytes, peer);
    });
  };

  link.misses.on('message', ({ fd, packed }: MissesMessage) => {
    readMisses(packed, (asked, peer) => {
      try {
        answer(fd, asked, peer);
        teach(asked);
      } catch (error) {
        tell('answering a query failed', error);
      }
    });
  });
  return { post };
}
