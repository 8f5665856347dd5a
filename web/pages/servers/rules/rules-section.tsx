import { Box, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { SettingSwitch } from '../sections/setting-switch.tsx';
import { QuickRule } from './quick-rule.tsx';
import { countRules } from './rule-language.ts';
import { RuleSwitches } from './rule-switches.tsx';
import { RuleTester } from './rule-tester.tsx';
import classes from './rules.module.css';
import { SkippedRulesAlert } from './skipped-rules-alert.tsx';
import { TemporaryRules } from './temporary-rules.tsx';

const RuleEditor = lazy(() => import('./rule-editor.tsx').then((module) => ({ default: module.RuleEditor })));

const toLines = (text: string): string[] => (text.trim() === '' ? [] : text.trimEnd().split(/\r\n|\r|\n/));

export function RulesSection() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit, errorOf } = useEditor();
  const [view, setView] = useState('text');
  const { enabled, rules } = settings.user_rules_settings;
  const text = useMemo(() => rules.join('\n'), [rules]);
  const error = errorOf('user_rules_settings.rules');
  const setRules = (lines: string[]): void => change({ user_rules_settings: { rules: lines } });
  return (
    <>
      <Section title={t('sections.rules')} text={t('rules.text')}>
        <SettingSwitch
          label={t('rules.enabled')}
          isOn={enabled}
          isDisabled={!canEdit}
          onChange={(isOn) => change({ user_rules_settings: { enabled: isOn } })}
        />
        {canEdit && <QuickRule rules={rules} onChange={setRules} />}
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('rules.view')}
            value={view}
            data={[
              { value: 'text', label: t('rules.asText') },
              { value: 'switches', label: t('rules.asSwitches') },
            ]}
            onChange={setView}
          />
          <Counts rules={rules} />
        </Group>
        <SkippedRulesAlert />
        {error !== undefined && (
          <Text c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        {view === 'switches' && <RuleSwitches rules={rules} isReadOnly={!canEdit} onChange={setRules} />}
        {view === 'text' && (
          <Stack gap={6}>
            <Suspense fallback={<EditorLoading />}>
              <RuleEditor
                text={text}
                label={t('rules.label')}
                isReadOnly={!canEdit}
                onChange={(next) => setRules(toLines(next))}
              />
            </Suspense>
            <Text size="xs" c="dimmed">
              {t('rules.keys')}
            </Text>
          </Stack>
        )}
      </Section>
      <RuleTester />
      <TemporaryRules />
    </>
  );
}

/** As high as the editor, so that nothing below it moves. */
const EditorLoading = () => (
  <Box className={classes['editor']} p="sm">
    <LoadingState />
  </Box>
);

function Counts({ rules }: { rules: readonly string[] }) {
  const { t } = useTranslation('servers');
  const { on, off, invalid } = useMemo(() => countRules(rules), [rules]);
  return (
    <Text size="sm" c="dimmed" role="status">
      {t('rules.count', { count: on })}
      {off > 0 && ` · ${t('rules.off', { count: off })}`}
      {invalid > 0 && (
        <Text span inherit c="var(--mantine-color-error)">
          {` · ${t('rules.faulty', { count: invalid })}`}
        </Text>
      )}
    </Text>
  );
}
