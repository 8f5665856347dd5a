import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { removeServer } from '../../../api/servers.ts';
import { ConfirmByName } from '../../../components/confirm-by-name.tsx';
import { notifyDone } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { discardDraft } from '../draft/drafts.ts';
import { useEditor } from '../draft/use-editor.ts';

export function RemoveServer() {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const { id, name, default: isDefault } = useEditor().server;
  const [isConfirming, confirmation] = useDisclosure(false);
  const removing = useMutation({
    mutationFn: async () => {
      await removeServer(id);
      discardDraft(id);
    },
    onSuccess: () => {
      notifyDone(t('remove.done', { name }));
      void navigate({ to: '/profiles' });
    },
  });
  return (
    <Section title={t('remove.title')} text={isDefault ? t('remove.isDefault') : t('remove.text')}>
      {!isDefault && (
        <Group>
          <Button color="red" variant="light" onClick={confirmation.open}>
            {t('remove.button')}
          </Button>
        </Group>
      )}
      <ConfirmByName
        isOpen={isConfirming}
        title={t('remove.ask', { name })}
        text={t('remove.text')}
        name={name}
        verb={t('remove.verb')}
        mutation={removing}
        onConfirm={() => removing.mutate()}
        onClose={confirmation.close}
      />
    </Section>
  );
}
