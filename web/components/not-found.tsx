import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Illustration } from './illustration.tsx';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="sm">
      <Illustration picture="lost" />
      <Title order={1}>{t('notFound.title')}</Title>
      <Text c="dimmed" ta="center">
        {t('notFound.text')}
      </Text>
      <Anchor component={Link} to="/">
        {t('notFound.back')}
      </Anchor>
    </Stack>
  );
}
