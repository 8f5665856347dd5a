import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../../api/api-error.ts';
import { useReachable } from '../../../api/connectivity.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { notifyWithUndo } from '../../../components/notify.tsx';
import { useAction } from '../../../components/use-action.ts';
import { sectionOf } from '../sections/sections.ts';
import { conflictingPaths, rebased, withoutPaths } from './changes.ts';
import { discardDraft, draftOf } from './drafts.ts';
import classes from './save-bar.module.css';
import { saveDraft, savedOf, type Unsaved, undoSaved } from './save-draft.ts';
import { useEditor } from './use-editor.ts';

/** Shown while there are unsaved changes. */
export function SaveBar() {
  const { t } = useTranslation('servers');
  const { server, draft } = useEditor();
  const isReachable = useReachable();
  const store = draftOf(server.id);
  const undoing = useAction((saved: Unsaved) => undoSaved(server.id, saved));
  const sectionNames = ({ changes, parts }: Unsaved): string =>
    [...new Set([...Object.keys(changes), ...Object.keys(parts)].map(sectionOf))]
      .map((section) => t(`sections.${section}`))
      .join(', ');
  const saving = useMutation({
    mutationFn: (unsaved: Unsaved) => saveDraft(server.id, unsaved),
    onSuccess: (_, saved) => {
      store.set({ ...store.get(), errors: [] });
      notifyWithUndo(t('save.done'), () => undoing.mutate(saved));
    },
    onError: (error, sent) => {
      const problem = problemOf(error);
      const saved = savedOf(sent, store.get());
      const where = sectionNames(saved);
      if (where !== '') notifyWithUndo(t('save.partly', { where }), () => undoing.mutate(saved));
      store.set({ ...store.get(), errors: problem.kind === 'refused' ? problem.fields : [] });
    },
  });
  const { changes, parts, errors } = draft;
  const paths = [...Object.keys(changes), ...Object.keys(parts)];
  const problem = saving.isError ? problemOf(saving.error) : undefined;
  const isWaiting = problem?.kind === 'unreachable';
  const { mutate } = saving;
  useEffect(() => {
    if (isWaiting && isReachable) mutate(store.get());
  }, [isWaiting, isReachable, mutate, store]);
  if (paths.length === 0) return null;
  const conflicts = conflictingPaths(changes, server.settings);
  const conflictSections = [...new Set(conflicts.map(sectionOf))];
  // The notice of the conflict says it already.
  const isShown = isWaiting || errors.length > 0 || (problem?.kind === 'changed' && conflicts.length > 0);
  return (
    <Paper
      className={classes['bar']}
      data-save-bar
      withBorder
      shadow="md"
      p="sm"
      role="region"
      aria-label={t('save.label')}
    >
      <Stack gap="xs">
        {isWaiting && (
          <Alert color="orange" variant="light" role="status">
            {t('save.waiting')}
          </Alert>
        )}
        {problem && !isShown && <ErrorAlert error={saving.error} />}
        {errors.length > 0 && (
          <Alert color="red" variant="light" role="alert">
            {t('save.refused', {
              where: [...new Set(errors.map(({ field }) => t(`sections.${sectionOf(field)}`)))].join(', '),
            })}
          </Alert>
        )}
        {conflicts.length > 0 && (
          <Alert color="orange" variant="light" role="status">
            <Group justify="space-between" gap="xs">
              {t('save.overtaken', { where: conflictSections.map((section) => t(`sections.${section}`)).join(', ') })}
              <Button
                size="compact-sm"
                variant="default"
                disabled={saving.isPending}
                onClick={() => {
                  saving.reset();
                  store.set({ parts, changes: withoutPaths(changes, conflicts), errors: [] });
                }}
              >
                {t('save.useTheirs')}
              </Button>
            </Group>
          </Alert>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="sm" role="status">
            {t('save.unsaved', { where: sectionNames(draft) })}
          </Text>
          <Group gap="xs">
            <Button
              variant="default"
              disabled={saving.isPending}
              onClick={() => {
                saving.reset();
                const discarded = store.get();
                discardDraft(server.id);
                notifyWithUndo(t('save.dropped'), () => store.set(discarded));
              }}
            >
              {t('save.drop')}
            </Button>
            <Button
              loading={saving.isPending}
              onClick={() => saving.mutate({ changes: rebased(changes, server.settings), parts })}
            >
              {t('save.submit')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}
