import Type from 'typebox';
import { object } from './named.ts';

export const SkippedRules = object('SkippedRules', 'Rules skipped since the program started.', {
  decisions: Type.Integer({
    description: 'Number of decisions with skipped rules. A query can take several decisions.',
  }),
  rules: Type.Integer({ description: 'Total number of skipped rules.' }),
  time_last: Type.Optional(Type.String({ description: 'Time of the last skipped rule.' })),
});
