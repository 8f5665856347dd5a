import { useTranslation } from 'react-i18next';
import { formats, transformations } from './configuration.ts';

/** Display name of a transformation or format; others keep their technical name. */
export function useStepName(): (step: string) => string {
  const { t } = useTranslation('compiler');
  return (step) => {
    const transformation = transformations.find((name) => name === step);
    const format = formats.find((name) => name === step);
    if (transformation) return t(`transformations.${transformation}.title`);
    return format ? t(`formats.${format}`) : step;
  };
}
