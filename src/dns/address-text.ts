import { formatIp } from '../kit/ip-address.ts';

/** An address of four or 16 bytes as people write it. */
export const addressText = (address: Uint8Array): string =>
  formatIp({ family: address.length === 4 ? 'V4' : 'V6', bytes: [...address] });
