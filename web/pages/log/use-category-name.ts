import { useTranslation } from 'react-i18next';
import type { Category } from './categories.ts';

export function useCategoryName(): (category: Category) => string {
  const { t } = useTranslation('log');
  return (category) => t(`categories.${category}`);
}
