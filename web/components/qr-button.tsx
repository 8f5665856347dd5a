import { ActionIcon, Center, Loader, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconQrcode } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';

const QrCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QrCode })));

export function QrButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('common');
  const [isOpen, { open, close }] = useDisclosure(false);
  const title = t('qr', { what: label });
  return (
    <>
      <Tooltip label={title}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={title} onClick={open}>
          <IconQrcode size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Dialog opened={isOpen} onClose={close} title={label} size="sm">
        <Stack>
          <Center mih={240}>
            <Suspense fallback={<Loader />}>
              <QrCode text={text} label={title} size={240} />
            </Suspense>
          </Center>
          <Text className="untrusted-text" ta="center">
            {text}
          </Text>
        </Stack>
      </Dialog>
    </>
  );
}
