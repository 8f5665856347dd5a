import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { skippedRulesQuery } from '../../../api/server-extensions.ts';
import { useEditor } from '../draft/use-editor.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Shown when rules of this server were skipped in the last day because a decision took too long. */
export function SkippedRulesAlert() {
  const { t } = useTranslation('servers');
  const { server } = useEditor();
  const { data } = useQuery(skippedRulesQuery(server.id));
  if (data?.time_last === undefined || Date.parse(data.time_last) < Date.now() - DAY_MS) return null;
  return (
    <Alert color="orange" variant="light">
      {t('rules.skipped', { count: data.rules })}
    </Alert>
  );
}
