import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { resetDohPassword, updateDeviceSettings } from '../../api/devices.ts';
import type { Device } from '../../api/wire.ts';
import { Dialog } from '../../components/dialog.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { UndoableSwitch } from '../../components/undoable-switch.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { AddressLine } from './address-line.tsx';

export function DohPassword({ device }: { device: Device }) {
  const { t } = useTranslation(['devices', 'common']);
  const canEdit = useCanEdit();
  const [isConfirming, confirmation] = useDisclosure(false);
  const { id, name, dns_addresses: addresses, settings } = device;
  const renewing = useAction(() => resetDohPassword(id), {
    onDone: () => {
      confirmation.close();
      notifyDone(t('password.resetDone'));
    },
  });
  const address = addresses.dns_over_https_with_auth_url;
  return (
    <Section title={t('password.title')} text={t('password.text')}>
      {address !== undefined && <AddressLine label={t('password.address')} address={address} />}
      <UndoableSwitch
        isOn={settings.detect_doh_auth_only}
        set={(isOn) => updateDeviceSettings(id, { detect_doh_auth_only: isOn })}
        message={() => t('edit.done')}
        name={t('password.only')}
        label={t('password.only')}
        hint={t('password.onlyHint')}
      />
      {canEdit && (
        <Group>
          <Button variant="default" onClick={confirmation.open}>
            {t('password.reset')}
          </Button>
        </Group>
      )}
      <Dialog opened={isConfirming} onClose={confirmation.close} title={t('password.resetTitle', { name })}>
        <Stack>
          <Text>{t('password.resetText')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={confirmation.close}>
              {t('common:cancel')}
            </Button>
            <Button color="red" loading={renewing.isPending} onClick={() => renewing.mutate()}>
              {t('password.reset')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </Section>
  );
}
