import { IconLanguage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CompactSelect } from './compact-select.tsx';
import { changeLanguage, type Language, languages } from './language.ts';

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <CompactSelect
      label={t('language')}
      icon={<IconLanguage size={17} stroke={1.6} aria-hidden />}
      value={i18n.language as Language}
      options={languages.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(language) => void changeLanguage(language)}
    />
  );
}
