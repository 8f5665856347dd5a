import { Button, Group, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endSecondFactor, renewRecoveryCodes } from '../../api/members.ts';
import { memberQuery } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { ProvePassword } from './confirm-password.tsx';
import { ShownRecoveryCodes } from './recovery-codes.tsx';
import { BeginSecondFactor } from './set-up-two-factor.tsx';

const titles = { begin: 'factor.begin', renew: 'factor.renew', end: 'factor.end' } as const;
type Doing = keyof typeof titles;

export function SecondFactorSection() {
  const { t } = useTranslation('account');
  const { data: member } = useQuery(memberQuery);
  const [doing, setDoing] = useState<Doing>();
  const close = (): void => setDoing(undefined);
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
            <Button variant="default" onClick={() => setDoing('renew')}>
              {t('factor.renew')}
            </Button>
            <Button variant="light" color="red" onClick={() => setDoing('end')}>
              {t('factor.end')}
            </Button>
          </>
        ) : (
          <Button onClick={() => setDoing('begin')}>{t('factor.begin')}</Button>
        )}
      </Group>
      <Dialog opened={doing !== undefined} onClose={close} title={doing && t(titles[doing])}>
        {doing === 'begin' && <BeginSecondFactor onDone={close} />}
        {doing === 'renew' && <RenewCodes onDone={close} />}
        {doing === 'end' && <EndSecondFactor onDone={close} />}
      </Dialog>
    </Section>
  );
}

function RenewCodes({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const renewing = useMutation({ mutationFn: renewRecoveryCodes });
  if (renewing.data) return <ShownRecoveryCodes codes={renewing.data.recovery_codes} onDone={onDone} />;
  return (
    <ProvePassword
      verb={t('factor.renew')}
      isBusy={renewing.isPending}
      error={renewing.error}
      withCode
      onProof={(proof) => renewing.mutate(proof)}
    >
      <Text>{t('factor.renewText')}</Text>
    </ProvePassword>
  );
}

function EndSecondFactor({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const ending = useMutation({
    mutationFn: endSecondFactor,
    onSuccess: () => {
      onDone();
      notifyDone(t('factor.ended'));
    },
  });
  return (
    <ProvePassword
      verb={t('factor.end')}
      colour="red"
      isBusy={ending.isPending}
      error={ending.error}
      withCode
      onProof={(proof) => ending.mutate(proof)}
    >
      <Text>{t('factor.endText')}</Text>
    </ProvePassword>
  );
}
