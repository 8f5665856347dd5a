import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../api/api-error.ts';
import { useErrorText } from './error-text.ts';

type Props = {
  readonly error: unknown;
  readonly retry?: () => unknown;
  /** The page has no other heading. */
  readonly isPage?: boolean;
};

/** Shown instead of content that failed to load. */
export function ErrorState({ error, retry, isPage }: Props) {
  const { t } = useTranslation('common');
  const errorText = useErrorText();
  const heading = (
    <Title order={1} fz="inherit" fw="inherit">
      {t('failed')}
    </Title>
  );
  return (
    <Alert color="red" variant="light" title={isPage ? heading : t('failed')} role="alert">
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
