import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProtectionTarget } from '../../api/protection.ts';
import { PauseMenu } from '../../components/pause-menu.tsx';
import { ProtectionIcon, ProtectionReasons } from '../../components/protection-state.tsx';
import { useProtection } from '../../components/use-protection.ts';
import { useProtectionText } from '../../components/use-protection-text.ts';

/** State, reasons and pause of everything, or of the selected DNS server or device. */
export function ProtectionCard(target: ProtectionTarget) {
  const { t } = useTranslation('protection');
  const text = useProtectionText();
  const protection = useProtection(target);
  return (
    <Paper component="section" withBorder p="md" aria-label={t('label')} mih={76}>
      {/* Reasons are long texts: the button goes below them where both do not fit. */}
      <Group justify="space-between" gap="sm" align="center">
        {protection ? (
          <Group gap="sm" wrap="nowrap" align="flex-start" flex={`1 1 ${protection.reasons.length > 0 ? 20 : 9}rem`}>
            <ProtectionIcon state={protection.state} size={36} />
            <Stack gap={4}>
              <Text component="h2" fz="lg" fw={650} lh="36px">
                {text(protection)}
              </Text>
              {protection.reasons.length > 0 && <ProtectionReasons protection={protection} target={target} />}
            </Stack>
          </Group>
        ) : (
          <Skeleton h={36} w={220} />
        )}
        <PauseMenu {...target} />
      </Group>
    </Paper>
  );
}
