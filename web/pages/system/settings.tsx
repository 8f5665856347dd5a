import { Accordion, Badge, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type OperatorSetting, settingsQuery } from '../../api/system.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { Section } from '../../components/section.tsx';
import { EditSetting } from './edit-setting.tsx';
import { type Help, useSettingHelp } from './use-setting-help.ts';

/** All settings of the service: value in use, source, and how to change it. */
export function OperatorSettings() {
  const { t, i18n } = useTranslation('system');
  const { data, error, isPending, refetch } = useQuery(settingsQuery);
  // The service may be newer than the page.
  const sectionName = (section: string): string =>
    i18n.exists(`settings.sections.${section}`, { ns: 'system' })
      ? t(`settings.sections.${section as 'DNS'}`)
      : section;
  const [search, setSearch] = useState('');
  const [edited, setEdited] = useState<OperatorSetting>();
  const { helpOf, isLoading } = useSettingHelp();
  const word = search.trim().toLowerCase();
  const found =
    data?.filter((setting) => `${setting.name} ${setting.help} ${helpOf(setting).text}`.toLowerCase().includes(word)) ??
    [];
  const inSection = (name: string) => found.filter(({ section }) => section === name);
  const sections = [...new Set(found.map(({ section }) => section))];
  return (
    <Section title={t('settings.title')} text={t('settings.text')}>
      {(isPending || isLoading) && <LoadingState rows={3} />}
      {!isPending && !data && <ErrorState error={error} retry={refetch} />}
      {data && !isLoading && (
        <>
          <TextInput
            type="search"
            aria-label={t('settings.search')}
            placeholder={t('settings.search')}
            leftSection={<IconSearch size={16} stroke={1.6} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          {found.length === 0 && <Text c="dimmed">{t('settings.none')}</Text>}
          {/* A search opens everything that it finds. */}
          <Accordion
            key={word === '' ? 'all' : 'found'}
            multiple
            order={3}
            {...(word !== '' && { value: sections, onChange: () => undefined })}
          >
            {sections.map((section) => (
              <Accordion.Item key={section} value={section}>
                <Accordion.Control>
                  {sectionName(section)} <Text span size="sm" c="dimmed">{`(${inSection(section).length})`}</Text>
                </Accordion.Control>
                <Accordion.Panel>
                  <Stack component="ul" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
                    {inSection(section).map((setting) => (
                      <Row
                        key={setting.name}
                        setting={setting}
                        help={helpOf(setting)}
                        onEdit={() => setEdited(setting)}
                      />
                    ))}
                  </Stack>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
          {edited && (
            <EditSetting
              key={edited.name}
              setting={edited}
              help={helpOf(edited)}
              onClose={() => setEdited(undefined)}
            />
          )}
        </>
      )}
    </Section>
  );
}

type RowProps = { readonly setting: OperatorSetting; readonly help: Help; readonly onEdit: () => void };

function Row({ setting, help, onEdit }: RowProps) {
  const { t } = useTranslation('system');
  const { name, values, source, place, pending } = setting;
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap">
      <Stack gap={4} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text fw={500} component="span" dir="ltr">
            {name}
          </Text>
          <Badge size="sm" variant="light" tt="none" color={source === 'default' ? 'gray' : 'water'}>
            {t(`settings.sources.${source}`)}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed" lang={help.lang}>
          {help.text}
        </Text>
        {values.length === 0 ? (
          <Text size="sm">{t('settings.unset')}</Text>
        ) : (
          <Code block className="untrusted-text" dir="ltr">
            {values.join('\n')}
          </Code>
        )}
        {pending && <Text size="sm">{t('settings.pending', { values: pending.join(', ') })}</Text>}
        <HowToChange setting={setting} />
        {place !== undefined && source !== 'stored' && (
          <Text size="sm" c="dimmed">
            {t('settings.setBy')} <Code>{place}</Code>
          </Text>
        )}
      </Stack>
      {isEditable(setting) && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          aria-label={t('settings.editNamed', { name })}
          onClick={onEdit}
        >
          {t('settings.edit')}
        </Button>
      )}
    </Group>
  );
}

const isEditable = ({ is_live, source }: OperatorSetting): boolean =>
  is_live && (source === 'stored' || source === 'default');

function HowToChange({ setting: { name, is_live, is_list, placeholder } }: { setting: OperatorSetting }) {
  const { t } = useTranslation('system');
  if (is_live) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('settings.restart')} <Code dir="ltr">{`${name}: ${is_list ? `[${placeholder}]` : placeholder}`}</Code>
    </Text>
  );
}
