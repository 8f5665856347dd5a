import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { setPrivateAddresses } from '../../api/local-names.ts';
import { notifyWithUndo } from '../../components/notify.tsx';
import { useAction } from '../../components/use-action.ts';

/** Exempts a domain from the rebinding protection of a DNS server, with undo. */
export function AllowPrivate({ domain, server }: { domain: string; server: string }) {
  const { t } = useTranslation('log');
  const undoing = useAction(() => setPrivateAddresses(server, domain, false));
  const allowing = useAction(() => setPrivateAddresses(server, domain, true), {
    onDone: () => notifyWithUndo(t('private.done', { domain }), () => undoing.mutate()),
  });
  return (
    <Button
      variant="light"
      loading={allowing.isPending}
      leftSection={<IconCheck size={17} />}
      onClick={() => allowing.mutate()}
    >
      {t('private.allow')}
    </Button>
  );
}
