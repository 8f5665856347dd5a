import { Alert, Button, FileInput, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../api/api-error.ts';
import { type BackupSummary, type SentBackup, sendBackup } from '../../api/restore.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { formValue } from '../../components/form-value.ts';
import { useFormat } from '../../components/format.tsx';
import { CodeInput } from './code-input.tsx';

type Chosen = Pick<SentBackup, 'code' | 'file'>;
type Sending = Chosen & { readonly action: SentBackup['action'] };

/** Checks a backup, then restores it after a confirmation. */
export function RestoreBackup({ token, onBack }: { readonly token: string; readonly onBack: () => void }) {
  const { t } = useTranslation('setUp');
  const [progress, setProgress] = useState(0);
  const [file, setFile] = useState<File | null>(null);
  const send = (sent: Sending): Promise<BackupSummary> => {
    setProgress(0);
    return sendBackup({ ...sent, onProgress: setProgress });
  };
  const checking = useMutation({ mutationFn: (chosen: Chosen) => send({ ...chosen, action: 'check' }) });
  const restoring = useMutation({ mutationFn: (chosen: Chosen) => send({ ...chosen, action: 'restore' }) });
  if (restoring.isSuccess)
    return (
      <Stack>
        <Alert color="green" variant="light" role="status">
          {t('restore.done', { count: restoring.data.accounts })}
        </Alert>
        <Button component="a" href="/sign-in">
          {t('done.signIn')}
        </Button>
      </Stack>
    );
  const error = restoring.error ?? checking.error;
  const isBusy = checking.isPending || restoring.isPending;
  const checked = checking.data && checking.variables;
  return (
    <Stack>
      {checked ? (
        <Confirm
          summary={checking.data}
          isBusy={isBusy}
          onConfirm={() => restoring.mutate(checked)}
          onOther={() => {
            checking.reset();
            restoring.reset();
          }}
        />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const code = token || formValue(new FormData(event.currentTarget), 'code');
            if (file) checking.mutate({ code, file });
          }}
        >
          <Stack>
            <Text>{t('restore.text')}</Text>
            {token === '' && <CodeInput error={fieldErrors(error)['token']} />}
            <FileInput
              label={t('restore.file')}
              placeholder={t('restore.choose')}
              value={file}
              onChange={setFile}
              required
              error={fieldErrors(error)['backup']}
            />
            <Button type="submit" loading={isBusy} disabled={!file}>
              {t('restore.check')}
            </Button>
          </Stack>
        </form>
      )}
      {isBusy && <Progress value={progress * 100} aria-label={t('restore.progress')} />}
      {error && <Failure error={error} shown={checked ? [] : ['backup', ...(token === '' ? ['token'] : [])]} />}
      <Button variant="subtle" onClick={onBack} disabled={isBusy}>
        {t('restore.back')}
      </Button>
    </Stack>
  );
}

function Failure({ error, shown }: { error: unknown; shown: readonly string[] }) {
  const { t } = useTranslation('setUp');
  const problem = problemOf(error);
  const isTooLarge = problem.kind === 'refused' && problem.message === 'The body is larger than the limit';
  if (!isTooLarge) return <ErrorAlert error={error} except={shown} />;
  return (
    <Alert color="red" variant="light" role="alert">
      {t('restore.tooLarge')}
    </Alert>
  );
}

type ConfirmProps = {
  readonly summary: BackupSummary;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onOther: () => void;
};

function Confirm({ summary: { created_millis, accounts, devices }, isBusy, onConfirm, onOther }: ConfirmProps) {
  const { t } = useTranslation('setUp');
  const { time } = useFormat();
  const [typed, setTyped] = useState('');
  const word = t('restore.word');
  const isMatch = typed.trim().toLocaleLowerCase() === word.toLocaleLowerCase();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isMatch) onConfirm();
      }}
    >
      <Stack>
        <Alert color="water" variant="light">
          <Text fw={500}>
            {t('restore.from', { time: time(created_millis, { dateStyle: 'long', timeStyle: 'short' }) })}
          </Text>
          <Text>{t('restore.accounts', { count: accounts })}</Text>
          <Text>{t('restore.devices', { count: devices })}</Text>
        </Alert>
        <Text>{t('restore.what')}</Text>
        <TextInput
          label={t('restore.type', { word })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        <Button type="submit" disabled={!isMatch} loading={isBusy}>
          {t('restore.submit')}
        </Button>
        <Button variant="default" onClick={onOther} disabled={isBusy}>
          {t('restore.other')}
        </Button>
      </Stack>
    </form>
  );
}
