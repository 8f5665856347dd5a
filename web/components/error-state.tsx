import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../api/api-error.ts';
import { useProblemWords } from './error-text.ts';

/** In the place of what could not be loaded. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const { t } = useTranslation('common');
  const words = useProblemWords();
  return (
    <Alert color="red" variant="light" title={t('failed')} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{words(problemOf(error))}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t('tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
