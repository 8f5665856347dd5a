import Type from 'typebox';
import { enumeration, int64, object } from './named.ts';

const millis = int64({ description: 'Milliseconds since 1970.' });

export const OpenSession = object('OpenSession', 'A session.', {
  id: Type.String(),
  // A page of the web interface, an app of the user, or a third-party app.
  kind: enumeration('SessionKind', ['page', 'own program', 'client']),
  client: Type.Optional(Type.String({ description: 'Name of the third-party app.' })),
  program: Type.Optional(Type.String({ description: 'Browser or program of the sign-in, for example `Firefox 130`.' })),
  system: Type.Optional(Type.String({ description: 'Operating system of the sign-in, for example `Windows`.' })),
  address: Type.Optional(
    Type.String({ description: 'Client address of the sign-in; of an IPv6 address only the /64 network.' }),
  ),
  created_millis: millis,
  last_used_millis: millis,
  expires_millis: Type.Optional(int64({ description: 'Absent if the session does not expire.' })),
  is_persistent: Type.Boolean({ description: 'Whether the user chose to stay signed in.' }),
  is_current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
});
