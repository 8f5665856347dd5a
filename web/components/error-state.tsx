import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../api/api-error.ts';
import { useReachable } from '../api/connectivity.ts';
import { useErrorText } from './error-text.ts';

type Props = {
  readonly error: unknown;
  readonly retry?: () => unknown;
  /** The page has no other heading. */
  readonly isPage?: boolean;
  /** Outside of the shell, which has a banner while the service is unreachable. */
  readonly isLone?: boolean;
};

/** Shown instead of content that failed to load. */
export function ErrorState({ error, retry, isPage, isLone }: Props) {
  const { t } = useTranslation('common');
  const errorText = useErrorText();
  const problem = problemOf(error);
  const isBannerShown = !useReachable() && !isLone;
  const heading = (
    <Title order={1} fz="inherit" fw="inherit">
      {t('failed')}
    </Title>
  );
  return (
    <Alert color="red" variant="light" title={isPage ? heading : t('failed')} role="alert">
      <Stack align="flex-start" gap="sm">
        {(problem.kind !== 'unreachable' || !isBannerShown) && <Text size="sm">{errorText(problem)}</Text>}
        {retry && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t('tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
