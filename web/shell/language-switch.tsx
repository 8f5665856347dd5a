import { useDirection } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { LanguageId } from '../locales/languages.ts';
import { CompactSelect } from './compact-select.tsx';
import { changeLanguage, languages } from './language.ts';

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const { setDirection } = useDirection();
  const change = async (id: LanguageId): Promise<void> => {
    await changeLanguage(id);
    setDirection(document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr');
  };
  return (
    <CompactSelect
      label={t('language')}
      icon={<IconLanguage size={17} stroke={1.6} aria-hidden />}
      value={i18n.language as LanguageId}
      options={languages.map(({ id, name, isReviewed }) => ({
        value: id,
        label: isReviewed ? name : t('machineTranslated', { name }),
      }))}
      onChange={(id) => void change(id)}
    />
  );
}
