import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { removeServer, restoreServer } from '../../../api/servers.ts';
import { notifyWithUndo } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { useAction } from '../../../components/use-action.ts';
import { discardDraft } from '../draft/drafts.ts';
import { useEditor } from '../draft/use-editor.ts';

/** Can be undone for a minute. */
export function RemoveServer() {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const { id, name, default: isDefault } = useEditor().server;
  const restoring = useAction(() => restoreServer(id));
  const removing = useAction(() => removeServer(id), {
    onDone: () => {
      discardDraft(id);
      notifyWithUndo(t('remove.done', { name }), () => restoring.mutate());
      void navigate({ to: '/profiles' });
    },
  });
  return (
    <Section title={t('remove.title')} text={isDefault ? t('remove.isDefault') : t('remove.text')}>
      {!isDefault && (
        <Group>
          <Button color="red" variant="light" loading={removing.isPending} onClick={() => removing.mutate()}>
            {t('remove.button')}
          </Button>
        </Group>
      )}
    </Section>
  );
}
