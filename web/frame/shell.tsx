import { Alert, AppShell, Burger, Divider, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useReachable } from '../api/reachable.ts';
import { ColourSchemeSwitch } from './colour-scheme-switch.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { WhoIsHere } from './who-is-here.tsx';

/** The frame around every page of somebody who has signed in. */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, menu] = useDisclosure(false);
  const isReachable = useReachable();
  return (
    <>
      <a className="skip-link" href="#main">
        {t('skip')}
      </a>
      <AppShell
        header={{ height: { base: 52, sm: 0 } }}
        navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <AppShell.Header hiddenFrom="sm">
          <Group h="100%" px="md" justify="space-between">
            <Logo />
            <Burger
              opened={isOpen}
              onClick={menu.toggle}
              size="sm"
              aria-expanded={isOpen}
              aria-label={isOpen ? t('menu.close') : t('menu.open')}
            />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" aria-label={t('nav.label')}>
          <Group visibleFrom="sm" px={10} pt={6} pb="lg">
            <Logo />
          </Group>
          <AppShell.Section grow>
            <Navigation onLeave={menu.close} />
          </AppShell.Section>
          <Divider my="sm" />
          <Stack gap="xs">
            <Group gap="xs" justify="space-between" wrap="nowrap">
              <ColourSchemeSwitch />
              <LanguageSwitch />
            </Group>
            <WhoIsHere />
          </Stack>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <div className="page">
            {!isReachable && (
              <Alert color="orange" mb="md" role="status" title={t('unreachable.title')}>
                {t('unreachable.text')}
              </Alert>
            )}
            <Outlet />
          </div>
        </AppShell.Main>
      </AppShell>
    </>
  );
}
