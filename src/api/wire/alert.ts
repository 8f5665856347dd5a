import Type from 'typebox';
import { alertCodes } from '../../domain/alerts.ts';
import { enumeration, object } from './named.ts';

export const AccountAlert = object('AccountAlert', 'A problem or an event that needs the attention of a member.', {
  code: enumeration('AccountAlertCode', alertCodes),
  subject: Type.String({
    description: 'Id of the list, device or client, address of the upstream, or domain of the certificate.',
  }),
  name: Type.Optional(Type.String({ description: 'Name of the list, device or client.' })),
  time: Type.String({ format: 'date-time', description: 'Start of the problem, or time of the expiry.' }),
});
