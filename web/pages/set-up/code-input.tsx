import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The set-up code, for those who have not opened the link with it. The form field is named `code`. */
export function CodeInput({ error }: { readonly error: string | undefined }) {
  const { t } = useTranslation('setUp');
  return (
    <TextInput
      name="code"
      label={t('code')}
      description={t('codeHint')}
      placeholder="ABCD-EFGH-IJKL"
      autoComplete="off"
      autoCapitalize="characters"
      required
      error={error}
    />
  );
}
