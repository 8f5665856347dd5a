import { Button, Group, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { disableTwoFactor, renewRecoveryCodes } from '../../api/members.ts';
import { memberQuery } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { ConfirmPassword } from './confirm-password.tsx';
import { RecoveryCodesView } from './recovery-codes.tsx';
import { SetUpTwoFactor } from './set-up-two-factor.tsx';

const titles = { begin: 'factor.begin', renew: 'factor.renew', end: 'factor.end' } as const;
type Action = keyof typeof titles;

export function TwoFactorSection() {
  const { t } = useTranslation('account');
  const { data: member } = useQuery(memberQuery);
  const [action, setAction] = useState<Action>();
  const close = (): void => setAction(undefined);
  if (!member) return null;
  return (
    <Section title={t('factor.title')} text={t('factor.text')}>
      {member.second_factor_enabled && (
        <Group gap="xs">
          <IconShieldCheck size={20} aria-hidden color="var(--mantine-color-green-6)" />
          <Text>{t('factor.isOn')}</Text>
        </Group>
      )}
      <Group gap="xs">
        {member.second_factor_enabled ? (
          <>
            <Button variant="default" onClick={() => setAction('renew')}>
              {t('factor.renew')}
            </Button>
            <Button variant="light" color="red" onClick={() => setAction('end')}>
              {t('factor.end')}
            </Button>
          </>
        ) : (
          <Button
            h="auto"
            mih={36}
            py={6}
            styles={{ label: { whiteSpace: 'normal' } }}
            onClick={() => setAction('begin')}
          >
            {t('factor.begin')}
          </Button>
        )}
      </Group>
      <Dialog opened={action !== undefined} onClose={close} title={action && t(titles[action])}>
        {action === 'begin' && <SetUpTwoFactor onDone={close} />}
        {action === 'renew' && <RenewCodes onDone={close} />}
        {action === 'end' && <DisableTwoFactor onDone={close} />}
      </Dialog>
    </Section>
  );
}

function RenewCodes({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const renewing = useMutation({ mutationFn: renewRecoveryCodes });
  if (renewing.data) return <RecoveryCodesView codes={renewing.data.recovery_codes} onDone={onDone} />;
  return (
    <ConfirmPassword
      verb={t('factor.renew')}
      isBusy={renewing.isPending}
      error={renewing.error}
      withCode
      onProof={(proof) => renewing.mutate(proof)}
    >
      <Text>{t('factor.renewText')}</Text>
    </ConfirmPassword>
  );
}

function DisableTwoFactor({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const disabling = useMutation({
    mutationFn: disableTwoFactor,
    onSuccess: () => {
      onDone();
      notifyDone(t('factor.ended'));
    },
  });
  return (
    <ConfirmPassword
      verb={t('factor.end')}
      colour="red"
      isBusy={disabling.isPending}
      error={disabling.error}
      withCode
      onProof={(proof) => disabling.mutate(proof)}
    >
      <Text>{t('factor.endText')}</Text>
    </ConfirmPassword>
  );
}
