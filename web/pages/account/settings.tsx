import { Alert, Button, Group, NativeSelect, NumberInput, Stack, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery, updateAccount } from '../../api/account.ts';
import type { Account } from '../../api/account-wire.ts';
import { problemOf } from '../../api/api-error.ts';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyWithUndo } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';

const MAX_DAYS = 365;
const RETRY_MS = 3000;
const fields = ['time_zone', 'log_retention_days', 'log_enabled'] as const;

type Values = Pick<Account, (typeof fields)[number]>;
/** The number field is a string while it is being edited. */
type Draft = Partial<Omit<Values, 'log_retention_days'> & { readonly log_retention_days: number | string }>;
type Change = { readonly before: Values; readonly after: Values };

const valuesOf = ({ time_zone, log_retention_days, log_enabled }: Account): Values => ({
  time_zone,
  log_retention_days,
  log_enabled,
});

export function Settings() {
  const { t } = useTranslation('account');
  const { data: account, error, isPending, refetch } = useQuery(accountQuery);
  return (
    <Section title={t('settings.title')}>
      {isPending && <LoadingState />}
      {!isPending && !account && <ErrorState error={error} retry={refetch} />}
      {account && <Form account={account} />}
    </Section>
  );
}

function Form({ account }: { account: Account }) {
  const { t } = useTranslation('account');
  const canEdit = useCanEdit();
  const [isConfirming, confirmation] = useDisclosure(false);
  const [edits, setEdits] = useState<Draft>({});
  const before = valuesOf(account);
  const shown = { ...before, ...edits };
  const days = Number(shown.log_retention_days);
  const edited = { ...shown, log_retention_days: days };
  const undoing = useAction(updateAccount);
  const saving = useMutation({
    mutationFn: ({ after }: Change) => updateAccount(after),
    // The request is idempotent, so it is retried until the service responds.
    retry: (_, error) => problemOf(error).kind === 'unreachable',
    retryDelay: RETRY_MS,
    onSuccess: (_, change) => {
      setEdits({});
      confirmation.close();
      notifyWithUndo(t('settings.done'), () => undoing.mutate(change.before));
    },
  });
  const save = (): void => saving.mutate({ before, after: edited });
  const isChanged = fields.some((field) => edited[field] !== before[field]);
  const isShorter = days < before.log_retention_days;
  const errors = fieldErrors(saving.error);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isShorter) confirmation.open();
          else save();
        }}
      >
        <Stack maw={420}>
          <NativeSelect
            label={t('settings.zone')}
            description={t('settings.zoneHint')}
            disabled={!canEdit}
            value={edited.time_zone}
            error={errors['time_zone']}
            data={[...new Set([edited.time_zone, ...Intl.supportedValuesOf('timeZone')])].sort()}
            onChange={(event) => setEdits({ ...edits, time_zone: event.currentTarget.value })}
          />
          <Switch
            label={t('settings.log')}
            description={t('settings.logHint')}
            disabled={!canEdit}
            checked={edited.log_enabled}
            onChange={(event) => setEdits({ ...edits, log_enabled: event.currentTarget.checked })}
          />
          <NumberInput
            label={t('settings.days')}
            description={t('settings.daysHint')}
            disabled={!canEdit}
            min={1}
            max={MAX_DAYS}
            allowDecimal={false}
            clampBehavior="strict"
            required
            value={shown.log_retention_days}
            error={errors['log_retention_days']}
            onChange={(value) => setEdits({ ...edits, log_retention_days: value })}
          />
          {saving.isError && <ErrorAlert error={saving.error} except={fields} />}
          {saving.isPending && saving.failureCount > 0 && (
            <Alert color="orange" role="status">
              {t('settings.notYet')}
            </Alert>
          )}
          {canEdit && (
            <Group>
              <Button type="submit" disabled={!isChanged} loading={saving.isPending}>
                {t('settings.submit')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <ConfirmByName
        isOpen={isConfirming}
        title={t('settings.shorter')}
        text={t('settings.shorterText', { count: days })}
        name={String(days)}
        verb={t('settings.submit')}
        mutation={saving}
        onConfirm={save}
        onClose={confirmation.close}
      />
    </>
  );
}
