import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import { findOption, readExtendedError } from '../../dns/edns.ts';
import { type Message, queryFor, type ResourceRecord } from '../../dns/message.ts';
import { classes, optionCodes, types } from '../../dns/numbers.ts';
import { readMessage } from '../../dns/read-message.ts';
import { recordText } from '../../dns/record-text.ts';
import { writeMessage } from '../../dns/write-message.ts';
import { codeName, typeName, typeNumber } from '../../kit/dns-numbers.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { nameText } from '../../kit/wire-name.ts';
import { readHostName } from '../../rules/read-host-name.ts';

export type Server = { readonly host: string; readonly port: number };

export type ServerAnswer = {
  readonly server: string;
  readonly name: string;
  readonly type: string;
  readonly code: string;
  readonly records: readonly {
    readonly name: string;
    readonly ttl: number;
    readonly type: string;
    readonly data: string;
  }[];
  /** Extended DNS error. */
  readonly why: string | undefined;
  /** Explanation that a Weir server sends to its devices in class CHAOS: device, decision, rule, list. */
  readonly told: readonly string[];
  readonly elapsedMs: number;
};

const DNS_PORT = 53;
const WAIT_MS = 5_000;
const DEBUG_WAIT_MS = 1_000;
const EDNS = { udpSize: 1232, version: 0, dnssecOk: false, options: [] };

export function parseServer(text: string): Server | undefined {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+)|)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = isIP(text) === 6 ? text : (six ?? four);
  const number = port === undefined ? DNS_PORT : Number(port);
  return host === undefined || number > 65_535 ? undefined : { host, port: number };
}

/** Sends the query over UDP, and a second one in class CHAOS for the explanation. */
export async function askServer(server: Server, name: string, type: string): Promise<Result<ServerAnswer, string>> {
  const wire = readHostName(name);
  const number = typeNumber(type.toUpperCase());
  if (!wire.ok) return wire;
  if (number === undefined) return err(`"${type}" is not a DNS record type such as A, AAAA or HTTPS`);
  const started = performance.now();
  const answer = await exchange(server, { name: wire.value, type: number, class: classes.IN }, WAIT_MS);
  if (!answer.ok) return answer;
  const elapsedMs = Math.round(performance.now() - started);
  // Other servers may drop it: use a short timeout.
  const debug = await exchange(server, { name: wire.value, type: number, class: classes.CH }, DEBUG_WAIT_MS);
  const { rcode, answer: records, edns } = answer.value;
  const reason = edns && findOption(edns.options, optionCodes.extendedError);
  const extended = reason && readExtendedError(reason);
  return ok({
    server: `${server.host}:${server.port}`,
    name,
    type: type.toUpperCase(),
    code: codeName(rcode),
    records: records.map(toText),
    why: extended && `${extended.code}${extended.text === '' ? '' : ` ${extended.text}`}`,
    told: debug.ok ? debug.value.answer.filter((record) => record.type === types.TXT).map(textOf) : [],
    elapsedMs,
  });
}

const toText = ({ name, ttl, type, data }: ResourceRecord) => ({
  name: nameText(name, 0),
  ttl,
  type: typeName(type),
  data: recordText(type, data),
});
const textOf = ({ data }: ResourceRecord): string => new TextDecoder().decode(data.subarray(1, 1 + data[0]!));

function exchange(
  server: Server,
  question: Message['questions'][number],
  waitMs: number,
): Promise<Result<Message, string>> {
  const id = randomInt(65_536);
  const socket = createSocket(isIP(server.host) === 6 ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    const done = (outcome: Result<Message, string>): void => {
      clearTimeout(timer);
      socket.close();
      resolve(outcome);
    };
    const late = (): void => done(err(`${server.host}:${server.port} does not answer; it may drop such queries`));
    const timer = setTimeout(late, waitMs);
    const fail = (error: Error): void => done(err(`${server.host}:${server.port} cannot be reached: ${error.message}`));
    socket.on('error', fail);
    socket.on('message', (bytes) => {
      const message = readMessage(bytes);
      if (message.ok && message.value.id === id && message.value.response) done(message);
    });
    // Lookup errors of the server name are reported here, not as an event.
    socket.connect(server.port, server.host, (error?: Error | null) =>
      error ? fail(error) : socket.send(writeMessage(queryFor(question, id, EDNS))),
    );
  });
}
