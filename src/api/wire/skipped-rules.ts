import Type from 'typebox';
import { object } from './named.ts';

export const SkippedRules = object('SkippedRules', 'Rules that were not tried since the program was started.', {
  decisions: Type.Integer({ description: 'In how many decisions rules were skipped. A query may need several.' }),
  rules: Type.Integer({ description: 'How many rules were skipped in all of them.' }),
  time_last: Type.Optional(Type.String({ description: 'When that last happened.' })),
});
