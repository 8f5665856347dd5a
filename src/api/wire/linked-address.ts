import Type, { type Static } from 'typebox';
import type { Device } from '../../domain/device.ts';
import { object } from './named.ts';

export const LinkedAddress = object('LinkedAddress', 'The address that plain DNS knows a device by.', {
  link_url: Type.Optional(
    Type.String({
      description: 'Opened from a network, it links the address of that network. Keep it secret. Absent for viewers.',
    }),
  ),
  ip: Type.Optional(Type.String({ description: 'The linked address; absent while there is none.' })),
  ddns: Type.Optional(Type.String({ description: 'The name behind which it is looked up every five minutes.' })),
});

export const LinkedAddressUpdate = object('LinkedAddressUpdate', 'An address, or a name that leads to it.', {
  ip: Type.Optional(Type.String({ maxLength: 64 })),
  ddns: Type.Optional(Type.String({ maxLength: 255 })),
});

/** Without `publicUrl` the answer has no link. */
export const linkedAddressToWire = (device: Device, publicUrl: string | undefined): Static<typeof LinkedAddress> => ({
  ...(publicUrl !== undefined && { link_url: `${publicUrl}/linkip/${device.id}/${device.linkToken}` }),
  ...(device.linkedIp !== undefined && { ip: device.linkedIp }),
  ...(device.ddnsName !== undefined && { ddns: device.ddnsName }),
});
