import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';

export type GuessTarget = {
  /** Where DNS over HTTPS listens. */
  readonly port: number;
  readonly host: string;
  readonly localAddress?: string;
  /** A device to guess the password of; without it ids are guessed. */
  readonly user?: string;
  readonly inFlight?: number;
};

export type GuessCounts = { sent: number; answered: number; refused: number; failed: number };

const RCODE = 3;
const REFUSED = 5;
// An A query for www.example.com.
const QUERY = Buffer.from('00000100000100000000000003777777076578616d706c6503636f6d0000010001', 'hex').toString(
  'base64url',
);

/** Guesses device ids in the path, or passwords of one device, over one HTTP/2 connection, as fast as answers come. */
export async function startGuessingIds(target: GuessTarget) {
  const { port, host, localAddress, user, inFlight = 20 } = target;
  const options = { rejectUnauthorized: false, ...(localAddress === undefined ? {} : { localAddress }) };
  const session = connect(`https://${host}:${port}`, options);
  session.on('error', () => undefined);
  await once(session, 'connect');
  const counts: GuessCounts = { sent: 0, answered: 0, refused: 0, failed: 0 };
  const outcomes: Readonly<Record<number, keyof GuessCounts>> = { [REFUSED]: 'refused', 0: 'answered' };
  let isStopped = false;

  const guessOn = async (): Promise<void> => {
    while (!isStopped && !session.destroyed) {
      counts.sent++;
      const rcode = await ask(session, user === undefined ? idGuess() : passwordGuess(user));
      counts[outcomes[rcode] ?? 'failed']++;
    }
  };
  const guessing = Array.from({ length: inFlight }, guessOn);

  return {
    counts: (): Readonly<GuessCounts> => counts,
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.all(guessing);
      session.destroy();
    },
  };
}

const idGuess = () => ({ ':path': `/dns-query/${randomBytes(4).toString('hex')}?dns=${QUERY}` });

const passwordGuess = (user: string) => ({
  ':path': `/dns-query?dns=${QUERY}`,
  authorization: `Basic ${Buffer.from(`${user}:${randomBytes(6).toString('base64url')}`).toString('base64')}`,
});

/** The rcode of the answer; -1 without one. */
const ask = (session: ClientHttp2Session, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve) => {
    const stream = session.request(headers);
    let rcode = -1;
    stream.on('data', (chunk: Buffer) => {
      if (rcode < 0) rcode = chunk[RCODE]! & 0xf;
    });
    stream.on('error', () => undefined);
    stream.on('close', () => resolve(rcode));
  });
