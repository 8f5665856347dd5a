import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../components/code-block.tsx';

/** Recovery codes are shown only once. */
export function RecoveryCodesView({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('account');
  return (
    <Stack>
      <Text>{t('factor.codesText')}</Text>
      <CodeBlock text={codes.join('\n')} label={t('factor.codes')} />
      <Alert color="orange">{t('onlyNow')}</Alert>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('kept')}
        </Button>
      </Group>
    </Stack>
  );
}
