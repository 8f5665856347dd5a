/** The texts of the steps of each router. */
const ipv4Steps = {
  fritzbox: ['fritzboxSteps.1', 'fritzboxSteps.2', 'fritzboxSteps.3'],
  openwrt: ['openwrtSteps.1', 'openwrtSteps.2', 'openwrtSteps.3'],
  unifi: ['unifiSteps.1', 'unifiSteps.2', 'unifiSteps.3'],
  asus: ['asusSteps.1', 'asusSteps.2', 'asusSteps.3', 'asusSteps.4'],
  generic: ['genericSteps.1', 'genericSteps.2', 'genericSteps.3', 'genericSteps.4'],
} as const;
/** For a server that has only an IPv6 address. */
const ipv6Steps = {
  fritzbox: ['fritzboxSteps.1', 'ipv6.fritzboxMenu', 'ipv6.fritzboxAddress'],
  openwrt: ['ipv6.openwrtMenu', 'ipv6.openwrtAddress', 'openwrtSteps.3'],
  generic: ['genericSteps.1', 'ipv6.genericMenu', 'ipv6.genericAddress', 'genericSteps.4'],
} as const;
export type Router = keyof typeof ipv4Steps;
type Steps = Partial<Record<Router, (typeof ipv4Steps)[Router] | (typeof ipv6Steps)[keyof typeof ipv6Steps]>>;

type Addresses = { readonly ipv4: string | undefined; readonly ipv6: string | undefined };

export const addressesOf = (addresses: readonly string[]): Addresses => ({
  ipv4: addresses.find((address) => !address.includes(':')),
  ipv6: addresses.find((address) => address.includes(':')),
});

export const openWrtCommands = ({ ipv4, ipv6 }: Addresses): string =>
  [
    ...(ipv4 === undefined ? [] : [`uci add_list dhcp.lan.dhcp_option='6,${ipv4}'`]),
    ...(ipv6 === undefined ? [] : [`uci add_list dhcp.lan.dns='${ipv6}'`]),
    'uci commit dhcp',
    ...(ipv4 === undefined ? [] : ['/etc/init.d/dnsmasq restart']),
    ...(ipv6 === undefined ? [] : ['/etc/init.d/odhcpd restart']),
  ].join('\n');

export const stepsFor = ({ ipv4, ipv6 }: Addresses): Steps =>
  ipv4 === undefined && ipv6 !== undefined ? ipv6Steps : ipv4Steps;
