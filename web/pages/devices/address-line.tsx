import { Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../components/copy-button.tsx';
import { QrButton } from '../../components/qr-button.tsx';

/** Address with buttons to copy it and to show it as a QR code. */
export const AddressLine = ({ label, address }: { label: string; address: string }) => (
  <Group justify="space-between" wrap="nowrap" gap="xs">
    <Stack gap={0} miw={0}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="untrusted-text" dir="ltr">
        {address}
      </Text>
    </Stack>
    <Group gap={2} wrap="nowrap">
      <CopyButton text={address} label={label} />
      <QrButton text={address} label={label} />
    </Group>
  </Group>
);
