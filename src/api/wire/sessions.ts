import Type from 'typebox';
import { enumeration, int64, object } from './named.ts';

const millis = int64({ description: 'Milliseconds since 1970.' });

export const OpenSession = object('OpenSession', 'A session.', {
  id: Type.String(),
  // A page of the web interface, an app of the user, or a third-party app.
  kind: enumeration('SessionKind', ['page', 'own program', 'client']),
  client: Type.Optional(Type.String({ description: 'Name of the third-party app.' })),
  created_millis: millis,
  expires_millis: Type.Optional(int64({ description: 'Absent if the session does not expire.' })),
  is_current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
});
