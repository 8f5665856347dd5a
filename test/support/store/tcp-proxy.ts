import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

type Pair = { readonly near: Socket; readonly far: Socket; isDropped: boolean };

/** A TCP proxy in front of a database, for the faults that a network has. */
export async function startTcpProxy(t: Pick<TestContext, 'after'>, url: string) {
  const target = new URL(url);
  const pairs = new Set<Pair>();
  let acceptsData = true;
  let delayMs = 0;

  const forward = (pair: Pair, from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      const send = (): void => {
        if (!pair.isDropped && acceptsData) to.write(bytes);
      };
      if (delayMs === 0) send();
      else setTimeout(send, delayMs);
    });
    from.on('error', () => {});
    from.on('close', () => {
      // A dropped connection stays open at the other side, as behind a firewall that forgot it.
      if (pair.isDropped) return;
      to.destroy();
      pairs.delete(pair);
    });
  };
  const server = createServer((near) => {
    const pair: Pair = { near, far: connect(Number(target.port), target.hostname), isDropped: !acceptsData };
    pairs.add(pair);
    forward(pair, near, pair.far);
    forward(pair, pair.far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  t.after(() => {
    end();
    server.close();
  });
  const through = new URL(url);
  through.port = `${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    /** Existing connections stay open and transfer nothing; new ones work. */
    dropSilently: (): void => {
      for (const pair of pairs) pair.isDropped = true;
    },
    /** No connection transfers anything, also new ones, until `thaw`. Bytes that were sent meanwhile are lost. */
    freeze: (): void => {
      acceptsData = false;
      for (const pair of pairs) pair.isDropped = true;
    },
    thaw: (): void => {
      acceptsData = true;
    },
    /** Closes all connections with a reset. */
    cut: (): void => {
      for (const { near } of pairs) near.resetAndDestroy();
    },
    delay: (ms: number): void => {
      delayMs = ms;
    },
  };
}
