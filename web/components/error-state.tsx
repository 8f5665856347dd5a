import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../api/api-error.ts';
import { useErrorText } from './error-text.ts';

/** Shown instead of content that failed to load. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const { t } = useTranslation('common');
  const errorText = useErrorText();
  return (
    <Alert color="red" variant="light" title={t('failed')} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{errorText(problemOf(error))}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t('tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
