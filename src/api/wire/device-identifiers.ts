import Type from 'typebox';
import { identifierKinds } from '../../domain/client-identifiers.ts';
import { object } from './named.ts';
import { Assignable } from './networks.ts';

const Identifier = object('ClientIdentifier', 'A property that identifies a device without an id.', {
  kind: Type.Enum([...identifierKinds], { type: 'string' }),
  value: Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      'A MAC address, an IP address, a network as `192.168.1.0/24`, or a host name in which `*` matches any characters, as `iphone-*`.',
  }),
});

const Tags = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 100,
  description: 'For `$ctag` rules, as `user_child`, besides the tags of the device type.',
});

export const DeviceIdentifiersUpdate = object(
  'DeviceIdentifiersUpdate',
  'Replaces the identifiers and tags of a device.',
  { identifiers: Type.Array(Identifier, { maxItems: 100 }), tags: Tags },
);

export const DeviceIdentifiers = object('DeviceIdentifiers', 'Identifiers and tags of a device.', {
  identifiers: Type.Array(Identifier),
  tags: Tags,
  type_tags: Type.Array(Type.String(), { description: 'Tags that follow from the device type.' }),
  available_tags: Type.Array(Type.String(), { description: 'All names of tags.' }),
  assignable: Assignable,
});
