import { Box, Indicator, NativeSelect, NavLink, VisuallyHidden } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useEditor } from '../draft/use-editor.ts';
import { type SectionName, sectionNames, sectionOf } from './sections.ts';

/** Sidebar on wide screens, select on narrow ones. */
export function SectionNavigation({ current }: { current: SectionName }) {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const { server, draft } = useEditor();
  const unsaved = new Set(Object.keys(draft.changes).map(sectionOf));
  const invalid = new Set(draft.errors.map(({ field }) => sectionOf(field)));
  const target = (section: SectionName) =>
    ({
      to: '/profiles/$serverId/{-$section}',
      params: { serverId: server.id, section: section === 'overview' ? undefined : section },
    }) as const;
  const mark = (section: SectionName): string => (invalid.has(section) ? ' ⚠' : unsaved.has(section) ? ' •' : '');
  return (
    <>
      <NativeSelect
        hiddenFrom="md"
        label={t('settings')}
        value={current}
        data={sectionNames.map((section) => ({ value: section, label: t(`sections.${section}`) + mark(section) }))}
        onChange={(event) => void navigate(target(event.currentTarget.value as SectionName))}
      />
      <Box component="nav" visibleFrom="md" w={190} aria-label={t('settings')}>
        {sectionNames.map((section) => (
          <NavLink
            key={section}
            renderRoot={(props) => <Link {...target(section)} activeOptions={{ exact: true }} {...props} />}
            active={section === current}
            aria-current={section === current ? 'page' : undefined}
            label={t(`sections.${section}`)}
            rightSection={
              (unsaved.has(section) || invalid.has(section)) && (
                <Indicator color={invalid.has(section) ? 'red' : 'orange'} position="middle-center" size={9} w={9}>
                  <VisuallyHidden>{t(invalid.has(section) ? 'hasErrors' : 'unsaved')}</VisuallyHidden>
                </Indicator>
              )
            }
          />
        ))}
      </Box>
    </>
  );
}
