import Type from 'typebox';
import { enumeration, int64, object } from './named.ts';

const millis = int64({ description: 'Milliseconds since 1970.' });

export const OpenSession = object('OpenSession', 'Somewhere that somebody is signed in.', {
  id: Type.String(),
  // Our pages in a browser, a program of their own, or a program of others that was let in.
  kind: enumeration('SessionKind', ['page', 'own program', 'client']),
  client: Type.Optional(Type.String({ description: 'What the program of others calls itself.' })),
  created_millis: millis,
  expires_millis: Type.Optional(int64({ description: 'Absent for one that lasts until it is ended.' })),
  is_current: Type.Boolean({ description: 'The one that asks.' }),
});
