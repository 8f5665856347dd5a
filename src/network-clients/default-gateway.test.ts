import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDefaultGateway } from './default-gateway.ts';

const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';

test('the default gateway is the one with the lowest metric', () => {
  const routes = `${head}wlan0\t00000000\tFE01A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
tun0\t00000000\t0100080A\t0003\t0\t0\t50\t00000080\t0\t0\t0
`;
  assert.equal(parseDefaultGateway(routes), '192.168.1.1');
});

test('without a route through a gateway the result is undefined', () => {
  assert.equal(parseDefaultGateway(`${head}ppp0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n`), undefined);
  assert.equal(parseDefaultGateway(''), undefined);
});
