import { useTranslation } from 'react-i18next';
import type { Problem } from '../api/api-error.ts';

/** Translates a problem into a message. */
export function useErrorText(): (problem: Problem) => string {
  const { t } = useTranslation('errors');
  return (problem) => {
    switch (problem.kind) {
      case 'slowDown':
        return t('slowDown', { count: problem.seconds });
      case 'refused':
        return t('refused', {
          message: [problem.message, ...problem.fields.map(fieldText)].filter(Boolean).join('; '),
        });
      case 'limit':
        return t('limit', { message: problem.message });
      default:
        return t(problem.kind);
    }
  };
}

const fieldText = ({ field, message }: { field: string; message: string }): string => `${field} ${message}`;
