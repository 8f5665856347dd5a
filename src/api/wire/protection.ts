import Type, { type Static } from 'typebox';
import {
  type Protection as DomainProtection,
  protectionReasons,
  protectionStates,
  type ProtectionReason as Reason,
} from '../../domain/protection-state.ts';
import { enumeration, int32, object } from './named.ts';

const ProtectionState = enumeration('ProtectionState', protectionStates, {
  description:
    '`protected`: all enabled filters are active. `partly`: some are not. `paused`: nothing is filtered until `paused_until`. `off`: nothing is filtered. `unknown`: see the reasons.',
});

const ProtectionReason = object('ProtectionReason', 'Why something is not protected.', {
  code: enumeration('ProtectionReasonCode', protectionReasons),
  text: Type.String({ description: 'In English.' }),
  lists: Type.Optional(Type.Array(Type.String(), { description: 'Ids of the lists that are not loaded.' })),
  dns_servers: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Ids of the DNS servers that it applies to. Only in the state of the account, and absent if it applies to all of them.',
    }),
  ),
});

const members = {
  state: ProtectionState,
  paused_until: Type.Optional(Type.String({ format: 'date-time' })),
  reasons: Type.Array(ProtectionReason),
};

const ServerProtection = object('DNSServerProtection', 'Protection of the clients of a DNS server.', {
  dns_server_id: Type.String(),
  ...members,
});

export const DeviceProtection = object('DeviceProtection', 'Protection of a device.', {
  device_id: Type.String(),
  dns_server_id: Type.String(),
  ...members,
});

export const Protection = object('Protection', 'Protection of the account, and of each DNS server.', {
  ...members,
  dns_servers: Type.Array(ServerProtection),
});

const target = {
  device_id: Type.Optional(Type.String({ description: 'Only this device.' })),
  dns_server_id: Type.Optional(Type.String({ description: 'Only this DNS server and its devices.' })),
};

export const ProtectionPause = object(
  'ProtectionPause',
  'Pause of a device, a DNS server or, without both, of all DNS servers. It has either `minutes` or `until`.',
  {
    ...target,
    minutes: Type.Optional(int32({ description: 'Duration in minutes, from 1 to 10080 (one week).' })),
    until: Type.Optional(
      enumeration('ProtectionPauseEnd', ['tomorrow'], { description: "Midnight in the account's time zone." }),
    ),
  },
);
export const ProtectionPaused = object('ProtectionPaused', 'End of the pause.', {
  paused_until: Type.String({ format: 'date-time' }),
});
export const ProtectionResume = object(
  'ProtectionResume',
  'Ends the pause of a device, of a DNS server or, without both, all pauses.',
  target,
);

const reasonTexts: Readonly<Record<Reason['code'], string>> = {
  device_off: 'Protection of the device is off.',
  dns_server_off: 'Protection of the DNS server is off.',
  device_paused: 'Protection of the device is paused.',
  dns_server_paused: 'Protection of the DNS server is paused.',
  nothing_enabled: 'Nothing is enabled that blocks domains.',
  nothing_loaded: 'None of the enabled lists is loaded.',
  lists_not_loaded: 'Some enabled lists are not loaded.',
  parental_paused: 'Parental control is paused by its schedule.',
  upstreams_down: 'None of the upstream servers responds.',
  not_seen: 'The device has not sent a query in the last 30 days.',
  resolver_unavailable: 'The resolver does not run on this node, or does not have the settings yet.',
};

export const protectionToWire = ({
  state,
  pausedUntil,
  reasons,
}: DomainProtection): Static<ReturnType<typeof Type.Object<typeof members>>> => ({
  state,
  ...(pausedUntil !== undefined && { paused_until: new Date(pausedUntil).toISOString() }),
  reasons: reasons.map(({ code, lists, servers }) => ({
    code,
    text: reasonTexts[code],
    ...(lists && { lists: [...lists] }),
    ...(servers && { dns_servers: [...servers] }),
  })),
});
