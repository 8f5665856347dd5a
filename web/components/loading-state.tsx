import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const widths = ['100%', '92%', '97%', '88%', '94%'];

/** Skeleton of a list while it loads. */
export function LoadingState({ rows = 5 }: { rows?: number }) {
  const { t } = useTranslation('common');
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {widths.slice(0, rows).map((width) => (
        <Skeleton key={width} height={34} width={width} />
      ))}
    </Stack>
  );
}
