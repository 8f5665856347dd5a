import { formatIp } from './ip-address.ts';

/** Text of an IPv4 or IPv6 address of 4 or 16 bytes. */
export const addressText = (address: Uint8Array): string =>
  formatIp({ family: address.length === 4 ? 'V4' : 'V6', bytes: [...address] });
