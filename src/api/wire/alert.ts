import Type from 'typebox';
import { alertCodes } from '../../domain/alerts.ts';
import { enumeration, object } from './named.ts';

export const AccountAlert = object('AccountAlert', 'Something that a member of the account should look at.', {
  code: enumeration('AccountAlertCode', alertCodes),
  subject: Type.String({
    description: 'Id of the list, device or client, address of the upstream, or domain of the certificate.',
  }),
  name: Type.Optional(Type.String({ description: 'Name of the list, device or client.' })),
  time: Type.String({ format: 'date-time', description: 'Since when; of an expiry, until when.' }),
});
