import { useTranslation } from 'react-i18next';
import type { Problem } from '../api/api-error.ts';
import { matchMessage, serviceMessage } from './service-message.ts';

/** Translates a problem into a message. */
export function useErrorText(): (problem: Problem) => string {
  const { t } = useTranslation('errors');
  return (problem) => {
    switch (problem.kind) {
      case 'slowDown':
        return t('slowDown', { count: problem.seconds });
      case 'refused':
        return problem.fields.length > 0
          ? t('invalid', { message: problem.fields.map(fieldText).join('; ') })
          : t('refused', { message: serviceMessage(problem.message) });
      case 'limit':
        return t('limit', { message: serviceMessage(problem.message) });
      case 'forbidden':
        return matchMessage(problem.message) ? serviceMessage(problem.message) : t('forbidden');
      default:
        return t(problem.kind);
    }
  };
}

/** A message without a translation needs the name of the field. */
const fieldText = ({ field, message }: { field: string; message: string }): string =>
  matchMessage(message) ? serviceMessage(message) : `${field} ${message}`;
