import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryFor } from '../src/dns/message.ts';
import { classes, types } from '../src/dns/numbers.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { startClaimedAddress } from '../test/support/attacks/claimed-address.ts';
import { name } from '../test/support/resolver/upstream/messages.ts';
import type { Attack } from './abuse-measures.ts';
import { sourceAddress } from './abuse-network.ts';
import { callApi, type Stage } from './abuse-stage.ts';
import type { Bar } from './bars.ts';

const ADDRESS = sourceAddress(308, 9);
const DOMAIN = 'bank.example.com';
const FORGED = '6.6.6.6';
const CLAIM_EVERY_MS = 500;
const ASK_EVERY_MS = 100;
const LEAST_SHARE = 0.95;

/** The attacker claims the address of a household of the honest tenant, which sends queries without a device id from there. */
export async function claimAddress(stage: Stage): Promise<Attack> {
  const { url, attacker, ports } = stage;
  await linkAddress(stage);
  const household = await startHousehold(ports.dns);
  const claimed = { accepted: 0, refused: 0 };
  let isStopped = false;
  const claiming = (async () => {
    while (!isStopped) {
      const { authorization } = attacker;
      const claim = await startClaimedAddress({ url, authorization, address: ADDRESS, domain: DOMAIN, forged: FORGED });
      claimed[claim.status === 200 ? 'accepted' : 'refused']++;
      await sleep(CLAIM_EVERY_MS);
      await claim.stop();
    }
  })();
  const { counts } = household;
  const bars = (): Bar[] => [
    { what: 'forged answers', figure: `${counts.forged} of ${counts.sent}`, met: counts.forged === 0 },
    {
      what: 'right answers to the household',
      figure: `${counts.right} of ${counts.sent}`,
      met: counts.right >= counts.sent * LEAST_SHARE,
    },
  ];
  return {
    report: () => `claims: ${JSON.stringify(claimed)}`,
    bars,
    async stop() {
      isStopped = true;
      await claiming;
      household.stop();
      const rules = { user_rules_settings: { enabled: false, rules: [] } };
      await callApi(url, attacker.authorization, 'PUT', `/oapi/v1/dns_servers/${attacker.server}/settings`, rules);
    },
  };
}

/** Links the address as households do, by opening the link of a device from it. */
async function linkAddress({ url, honest }: Stage): Promise<void> {
  const wanted = { name: 'router', device_type: 'ROUTER', dns_server_id: honest.server };
  const { id } = await callApi(url, honest.authorization, 'POST', '/oapi/v1/devices', wanted);
  const { link_url } = await callApi(url, honest.authorization, 'GET', `/api/v1/devices/${id}/linked_address`);
  const [response] = await once(get(new URL(new URL(link_url).pathname, url), { localAddress: ADDRESS }), 'response');
  response.resume();
  if (response.statusCode !== 200) throw new Error(`${link_url}: ${response.statusCode}`);
}

/** Plain DNS from the address, as sent by an unconfigured router. */
async function startHousehold(port: number) {
  const counts = { sent: 0, right: 0, forged: 0 };
  const socket = createSocket('udp4');
  socket
    .on('error', () => {})
    .on('message', (bytes) => {
      const kind = bytes.subarray(-4).join('.') === FORGED ? 'forged' : 'right';
      // One address record and no error.
      if ((bytes[3]! & 0xf) === 0 && bytes[7] === 1) counts[kind]++;
    });
  socket.bind(0, ADDRESS);
  await once(socket, 'listening');
  const question = { name: name(DOMAIN), type: types.A, class: classes.IN };
  const timer = setInterval(() => {
    socket.send(writeMessage(queryFor(question, ++counts.sent & 0xffff)), port, '127.0.0.1');
  }, ASK_EVERY_MS);
  return {
    counts,
    stop(): void {
      clearInterval(timer);
      socket.close();
    },
  };
}
