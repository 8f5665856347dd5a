import { Alert, Button, FileInput, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../api/api-error.ts';
import type { BackupSummary } from '../api/restore.ts';
import { ErrorAlert } from './error-alert.tsx';
import { fieldErrors } from './field-errors.ts';
import { formValue } from './form-value.ts';
import { useFormat } from './format.tsx';

type Chosen = { readonly code: string; readonly file: File };
type Sending = Chosen & { readonly action: 'check' | 'restore'; readonly onProgress: (part: number) => void };

type Props = {
  readonly send: (sending: Sending) => Promise<BackupSummary>;
  /** A field for the set-up code, with its error. */
  readonly codeField?: ((error: string | undefined) => ReactNode) | undefined;
  /** Describes the consequences. */
  readonly what: string;
  readonly done: (summary: BackupSummary) => ReactNode;
  readonly back: string;
  readonly onBack: () => void;
};

/** Checks a backup, then restores it after a confirmation. */
export function RestoreBackup({ send, codeField, what, done, back, onBack }: Props) {
  const { t } = useTranslation('setUp');
  const [progress, setProgress] = useState(0);
  const [file, setFile] = useState<File | null>(null);
  const sendAs = (action: Sending['action']) => (chosen: Chosen) => {
    setProgress(0);
    return send({ ...chosen, action, onProgress: setProgress });
  };
  const checking = useMutation({ mutationFn: sendAs('check') });
  const restoring = useMutation({ mutationFn: sendAs('restore') });
  if (restoring.isSuccess) return done(restoring.data);
  const error = restoring.error ?? checking.error;
  const isBusy = checking.isPending || restoring.isPending;
  const checked = checking.data && checking.variables;
  return (
    <Stack>
      {checked ? (
        <Confirm
          summary={checking.data}
          what={what}
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
            const code = codeField ? formValue(new FormData(event.currentTarget), 'code') : '';
            if (file) checking.mutate({ code, file });
          }}
        >
          <Stack>
            <Text>{t('restore.text')}</Text>
            {codeField?.(fieldErrors(error)['token'])}
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
      {error && <Failure error={error} shown={checked ? [] : ['backup', ...(codeField ? ['token'] : [])]} />}
      <Button variant="subtle" onClick={onBack} disabled={isBusy}>
        {back}
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
  readonly what: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onOther: () => void;
};

function Confirm({ summary: { created_millis, accounts, devices }, what, isBusy, onConfirm, onOther }: ConfirmProps) {
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
        <Text>{what}</Text>
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
