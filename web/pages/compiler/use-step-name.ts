import { useTranslation } from 'react-i18next';
import { formats, transformations } from './configuration.ts';

/** What a step is called in the form; steps that it does not have keep the name that configurations have for them. */
export function useStepName(): (step: string) => string {
  const { t } = useTranslation('compiler');
  return (step) => {
    const transformation = transformations.find((name) => name === step);
    const format = formats.find((name) => name === step);
    if (transformation) return t(`transformations.${transformation}.title`);
    return format ? t(`formats.${format}`) : step;
  };
}
