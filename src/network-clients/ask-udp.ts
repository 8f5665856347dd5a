import { createSocket } from 'node:dgram';

type UdpEndpoint = { readonly address: string; readonly port: number };

type UdpQuery<T> = {
  readonly bytes: Uint8Array;
  readonly to: UdpEndpoint;
  readonly timeoutMs: number;
  /** The local address (IPv6 with zone) from which multicast is sent. */
  readonly multicastFrom?: string;
  /** Undefined for a packet that is not the reply. */
  readonly accept: (reply: Uint8Array, from: UdpEndpoint) => T | undefined;
};

/** Sends one packet and waits for the first accepted reply; undefined after the timeout or an error of the network. */
export function askUdp<T>({ bytes, to, timeoutMs, multicastFrom, accept }: UdpQuery<T>): Promise<T | undefined> {
  const socket = createSocket(to.address.includes(':') ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    const end = (result: T | undefined): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      // Without a listener, an error that arrives while the socket closes would end the process.
      socket.on('error', () => undefined);
      socket.close();
      resolve(result);
    };
    const timer = setTimeout(() => end(undefined), timeoutMs);
    // Ignores errors such as unreachable servers and missing routes.
    socket.on('error', () => end(undefined));
    socket.on('message', (reply, from) => {
      const result = accept(reply, from);
      if (result !== undefined) end(result);
    });
    socket.bind(0, () => {
      try {
        if (multicastFrom !== undefined) socket.setMulticastInterface(multicastFrom);
        socket.send(bytes, to.port, to.address);
      } catch {
        // The interface has disappeared since it was selected.
        end(undefined);
      }
    });
  });
}
