import { Anchor, Badge, Box, Flex, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { serverQuery } from '../../api/servers.ts';
import type { DnsServer } from '../../api/wire.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { NotFound } from '../../components/not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PauseMenu } from '../../components/pause-menu.tsx';
import { ProtectionState } from '../../components/protection-state.tsx';
import { SaveBar } from './draft/save-bar.tsx';
import { EditorProvider, useEditorOf } from './draft/use-editor.ts';
import { ProtectionSwitch } from './protection-switch.tsx';
import { AccessSection } from './sections/access-section.tsx';
import { AdvancedSection } from './sections/advanced-section.tsx';
import { GeneralSection } from './sections/general-section.tsx';
import { LocalNamesSection } from './sections/local-names-section.tsx';
import { SafetySection } from './sections/safety-section.tsx';
import { SectionNavigation } from './sections/section-navigation.tsx';
import { type SectionName, sectionNamed } from './sections/sections.ts';

const route = getRouteApi('/shell/profiles/$serverId/{-$section}');

const bodies: Readonly<Record<SectionName, ComponentType>> = {
  overview: GeneralSection,
  lists: lazy(() => import('./lists/lists-section.tsx').then((module) => ({ default: module.ListsSection }))),
  rules: lazy(() => import('./rules/rules-section.tsx').then((module) => ({ default: module.RulesSection }))),
  services: lazy(() =>
    import('./parental/services-section.tsx').then((module) => ({ default: module.ServicesSection })),
  ),
  schedule: lazy(() =>
    import('./parental/schedule-section.tsx').then((module) => ({ default: module.ScheduleSection })),
  ),
  safety: SafetySection,
  access: AccessSection,
  names: LocalNamesSection,
  advanced: AdvancedSection,
};

export function ServerPage() {
  const { t } = useTranslation('servers');
  const { serverId, section } = route.useParams();
  const name = sectionNamed(section);
  const { data: server, isPending, error, refetch } = useQuery(serverQuery(serverId));
  if (!name) return <NotFound />;
  return (
    <>
      <Anchor size="sm" renderRoot={(props) => <Link to="/profiles" {...props} />}>
        {t('back')}
      </Anchor>
      {isPending && <LoadingState />}
      {!isPending && !server && <ErrorState error={error} retry={refetch} />}
      {server && <Settings key={server.id} server={server} name={name} />}
    </>
  );
}

function Settings({ server, name }: { server: DnsServer; name: SectionName }) {
  const { t } = useTranslation('servers');
  const Body = bodies[name];
  const editor = useEditorOf(server);
  return (
    <EditorProvider value={editor}>
      <PageHeader
        title={server.name}
        state={<ProtectionState server={server.id} />}
        actions={
          <Group>
            {server.default && server.name !== t('default') && <Badge variant="default">{t('default')}</Badge>}
            <PauseMenu server={server.id} />
            <ProtectionSwitch server={server} label={t('protection')} hint={t('protectionHint')} />
          </Group>
        }
      />
      <Flex gap="lg" direction={{ base: 'column', md: 'row' }} align="stretch">
        <SectionNavigation current={name} />
        <Box flex={1} miw={0}>
          <Suspense fallback={<LoadingState />}>
            <Stack>
              <Body />
            </Stack>
          </Suspense>
          {editor.canEdit && <SaveBar />}
        </Box>
      </Flex>
    </EditorProvider>
  );
}
