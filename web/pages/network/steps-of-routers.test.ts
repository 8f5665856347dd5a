import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf, openWrtCommands, stepsFor } from './steps-of-routers.ts';

test('the steps are those of the addresses that the server has', () => {
  const both = addressesOf(['fd00::53', '192.168.1.53', '192.168.2.53']);
  assert.deepEqual(both, { ipv4: '192.168.1.53', ipv6: 'fd00::53' });
  assert.equal(stepsFor(both).fritzbox?.at(-1), 'fritzboxSteps.3');
  const onlyIpv6 = addressesOf(['fd00::53']);
  assert.deepEqual(Object.keys(stepsFor(onlyIpv6)), ['fritzbox', 'openwrt', 'generic']);
  assert.equal(stepsFor(onlyIpv6).fritzbox?.at(-1), 'ipv6.fritzboxAddress');
  assert.equal(stepsFor(addressesOf([])), stepsFor(addressesOf(['192.168.1.53'])));
});

test('OpenWrt gets the commands for each kind of address', () => {
  assert.equal(
    openWrtCommands({ ipv4: '192.168.1.53', ipv6: undefined }),
    "uci add_list dhcp.lan.dhcp_option='6,192.168.1.53'\nuci commit dhcp\n/etc/init.d/dnsmasq restart",
  );
  assert.equal(
    openWrtCommands({ ipv4: undefined, ipv6: 'fd00::53' }),
    "uci add_list dhcp.lan.dns='fd00::53'\nuci commit dhcp\n/etc/init.d/odhcpd restart",
  );
  assert.deepEqual(openWrtCommands({ ipv4: '192.168.1.53', ipv6: 'fd00::53' }).split('\n'), [
    "uci add_list dhcp.lan.dhcp_option='6,192.168.1.53'",
    "uci add_list dhcp.lan.dns='fd00::53'",
    'uci commit dhcp',
    '/etc/init.d/dnsmasq restart',
    '/etc/init.d/odhcpd restart',
  ]);
});
