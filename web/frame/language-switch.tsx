import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { changeLanguage, type Language, languages } from './language.ts';

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <NativeSelect
      size="xs"
      aria-label={t('language')}
      value={i18n.language}
      data={languages.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => void changeLanguage(event.currentTarget.value as Language)}
    />
  );
}
