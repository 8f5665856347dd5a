import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Protocol } from './settings-text.ts';

const titles = {
  profile: 'notOffered.profile',
  doh: 'notOffered.doh',
  dot: 'notOffered.dot',
  'private dns': 'notOffered.privateDns',
} as const satisfies Partial<Record<Protocol, string>>;

/** Why a device cannot use encrypted DNS, and how it is protected all the same. */
export function NotOffered({ protocol }: { protocol: keyof typeof titles }) {
  const { t } = useTranslation('connect');
  return (
    <Alert color="orange" title={t(titles[protocol])}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('notOffered.ways')}</Text>
        <List size="sm" spacing={4}>
          <List.Item>{t('notOffered.name')}</List.Item>
          <List.Item>
            {t('notOffered.plain')}{' '}
            <Anchor size="sm" c="inherit" underline="always" renderRoot={(props) => <Link to="/network" {...props} />}>
              {t('notOffered.toNetwork')}
            </Anchor>
          </List.Item>
        </List>
      </Stack>
    </Alert>
  );
}
