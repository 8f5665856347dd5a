import { Button, Menu, Skeleton } from '@mantine/core';
import { IconChevronDown, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type ProtectionTarget, pauseProtection, resumeProtection } from '../api/protection.ts';
import type { PauseLength } from '../api/wire.ts';
import { notifyWithUndo } from './notify.tsx';
import { useAction } from './use-action.ts';
import { useCanEdit } from './use-can-edit.ts';
import { useProtection } from './use-protection.ts';
import { useProtectionText } from './use-protection-text.ts';

const lengths = [
  { text: 'pause.minutes', length: { minutes: 5 } },
  { text: 'pause.hour', length: { minutes: 60 } },
  { text: 'pause.tomorrow', length: { until: 'tomorrow' } },
] as const;

const MINUTE_MS = 60_000;

/** Pauses the protection of a device, a DNS server or everything, or ends its pause; both can be undone. */
export function PauseMenu(target: ProtectionTarget) {
  const { t } = useTranslation('protection');
  const canEdit = useCanEdit();
  const text = useProtectionText();
  const protection = useProtection(target);
  const undoPause = useAction(() => resumeProtection(target));
  const undoResume = useAction((minutes: number) => pauseProtection(target, { minutes }));
  const pausing = useAction((length: PauseLength) => pauseProtection(target, length), {
    onDone: (end) => {
      const paused_until = new Date(end).toISOString();
      notifyWithUndo(text({ state: 'paused', paused_until }), () => undoPause.mutate());
    },
  });
  const left = Math.ceil((Date.parse(protection?.paused_until ?? '') - Date.now()) / MINUTE_MS);
  const resuming = useAction(() => resumeProtection(target), {
    onDone: () => notifyWithUndo(t('pause.resumed'), () => undoResume.mutate(Math.max(1, left))),
  });
  if (!canEdit || protection?.state === 'off') return null;
  // Of the size of the button: the page must not move when the state arrives.
  if (!protection) return <Skeleton h={36} w={112} />;
  const isPaused = protection.reasons.some(({ code }) => isPauseOf(code, target));
  if (isPaused)
    return (
      <Button
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={resuming.isPending}
        onClick={() => resuming.mutate()}
      >
        {t('pause.resume')}
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={pausing.isPending}
          leftSection={<IconPlayerPause size={17} aria-hidden />}
          rightSection={<IconChevronDown size={15} aria-hidden />}
        >
          {t('pause.button')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {lengths.map(({ text, length }) => (
          <Menu.Item key={text} onClick={() => pausing.mutate(length)}>
            {t(text)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A device that is paused with its DNS server has no pause of its own to end. */
const isPauseOf = (code: string, { device }: ProtectionTarget): boolean =>
  code === 'device_paused' || (code === 'dns_server_paused' && device === undefined);
