import { spawnSync } from 'node:child_process';

const MARK = 'BENCH_NETWORK';
/** Reserved for benchmarks (RFC 2544); in the namespace of the bench, all its addresses are local. */
const NETWORK = '198.18.0.0/15';

/** Whether source addresses other than loopback can be used, because loopback is exempt from limits. */
export const hasNetwork = (): boolean => process.env[MARK] === '1';

/** Source addresses: from the benchmark network (RFC 2544), or from loopback without a namespace. */
export const sourceAddress = (network: number, host: number): string =>
  hasNetwork()
    ? `198.${18 + (network >> 8)}.${network & 255}.${host}`
    : `127.${66 + (network >> 8)}.${network & 255}.${host}`;

/** Runs this program again in a separate network namespace; undefined if that is not allowed. */
export function runInNamespace(): number | undefined {
  if (process.getuid?.() !== 0 || spawnSync('unshare', ['-n', 'ip', 'link']).status !== 0) return undefined;
  const setUp = `ip link set lo up && ip route add local ${NETWORK} dev lo && ulimit -n 8192 && exec "$@"`;
  const words = [process.execPath, ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', ['-n', 'sh', '-c', setUp, 'sh', ...words], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  });
  return status ?? 1;
}
