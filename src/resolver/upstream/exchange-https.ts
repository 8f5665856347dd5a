import type { Exchange, ExchangeCounters, Exchanged } from './exchange.ts';
import { type HttpsSession, openSession, type Posted, type SessionDeps } from './https-session.ts';
import { readAnswer } from './read-answer.ts';
import { lateCheck, RELAY_MS, type Relay } from './relay.ts';
import { failed } from './upstream-answer.ts';
import { queryBytes, type UpstreamQuestion } from './upstream-query.ts';

export type HttpsDeps = Omit<SessionDeps, 'onRetired' | 'onClosed'> & {
  readonly counters: ExchangeCounters;
  readonly trusted: boolean;
};

const MAX_SESSIONS = 4;
// Servers commonly allow at least this many streams (RFC 9113, 6.5.2).
const MAX_IN_FLIGHT = 100;
const NEW_MS = 1000;

/** DoH: usually one connection, and a second one when the first is full or silent. */
export function httpsExchange(deps: HttpsDeps) {
  const sessions = new Set<HttpsSession>();
  const all = new Set<HttpsSession>();

  const open = (): HttpsSession => {
    deps.counters.connections++;
    const session: HttpsSession = openSession({
      ...deps,
      onRetired: () => sessions.delete(session),
      onClosed: () => all.delete(session),
    });
    sessions.add(session);
    all.add(session);
    return session;
  };

  const choose = (fresh: boolean): HttpsSession | undefined => {
    const isNew = ({ openedAt }: HttpsSession): boolean => deps.now() - openedAt < NEW_MS;
    const able = [...sessions].filter((one) => one.inFlight() < MAX_IN_FLIGHT);
    const best = able.find((one) => !fresh || isNew(one));
    return best ?? (sessions.size < MAX_SESSIONS ? open() : able[0]);
  };

  const once = (question: UpstreamQuestion, edns: boolean, fresh: boolean, signal: AbortSignal): Promise<Posted> =>
    new Promise((resolve) => {
      const session = choose(fresh);
      if (!session) return resolve(failed('busy', 'too many queries in flight to this upstream'));
      let release = (): void => {};
      // The id is 0, so that HTTP caches treat equal queries as equal (RFC 8484, 4.1).
      release = session.post(
        queryBytes(question, { id: 0, edns, padded: true, authenticData: deps.trusted }),
        (posted) => {
          signal.removeEventListener('abort', release);
          resolve(posted);
        },
      );
      signal.addEventListener('abort', release, { once: true });
    });

  const late = lateCheck(() => {
    for (const session of all) session.giveUpLate();
  });
  const relay: Relay = (query, done) => {
    const session = choose(false);
    late.start();
    if (!session) done(undefined);
    else session.post(query, (posted) => done(posted.kind === 'body' ? posted.body : undefined), deps.now() + RELAY_MS);
  };
  const exchange: Exchange = async (question, { edns, fresh, signal }) => {
    if (signal.aborted) return failed('timeout', 'no answer in time');
    let posted = await once(question, edns, fresh, signal);
    const mayTryAgain = posted.kind === 'failed' && posted.why === 'closed' && !signal.aborted;
    if (mayTryAgain) posted = await once(question, edns, true, signal);
    return posted.kind === 'failed' ? posted : outcomeOf(posted.body, question, deps);
  };

  return {
    exchange,
    relay,
    forwardVia: () => ({ kind: 'relay', isPadded: true, isTrusted: deps.trusted }) as const,
    open: () => all.size,
    stop() {
      late.stop();
      for (const session of all) session.close();
    },
  };
}

function outcomeOf(body: Uint8Array, question: UpstreamQuestion, { counters, trusted }: HttpsDeps): Exchanged {
  const isOurs = body.length > 1 && body[0] === 0 && body[1] === 0;
  const read = isOurs ? readAnswer(body, { question, trusted }) : { kind: 'not it' as const };
  if (read.kind === 'answer') return read;
  counters.malformed++;
  return failed('malformed', read.kind === 'bad' ? read.why : 'the response does not match the query');
}
