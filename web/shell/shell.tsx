import { Alert } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFailedActions, useReachable } from '../api/connectivity.ts';
import { ColourSchemeSwitch } from './colour-scheme-switch.tsx';
import { FindButton } from './find-button.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

const route = getRouteApi('/shell');

/** Layout of all pages. Visitors without a session get no navigation. Plain elements without Mantine, because it renders first. */
export function Shell() {
  const { hasSession } = route.useLoaderData();
  return hasSession ? <SessionShell /> : <PublicShell />;
}

function PublicShell() {
  const { t } = useTranslation();
  return (
    <>
      <SkipLink />
      <header className={classes['publicHeader']}>
        <Logo />
        <ColourSchemeSwitch />
        <LanguageSwitch />
        <Link className={classes['item']} to="/sign-in">
          {t('signIn')}
        </Link>
      </header>
      <Main className={classes['publicMain']} />
    </>
  );
}

function SkipLink() {
  const { t } = useTranslation();
  return (
    <a className="skip-link" href="#main">
      {t('skip')}
    </a>
  );
}

function Main({ className }: { className: string | undefined }) {
  return (
    <main className={className} id="main" tabIndex={-1}>
      <div className="page">
        <Unreachable />
        <Outlet />
      </div>
    </main>
  );
}

function Unreachable() {
  const { t } = useTranslation();
  const failedActions = useFailedActions();
  if (useReachable()) return null;
  return (
    <div key={failedActions} className={classes['unreachable']}>
      <Alert color="orange" role="status" title={t('unreachable.title')}>
        {t('unreachable.text')}
      </Alert>
    </div>
  );
}

function SessionShell() {
  const { t } = useTranslation();
  const [isOpen, menu] = useDisclosure(false);
  useHotkeys([['Escape', menu.close]], []);
  const MenuIcon = isOpen ? IconX : IconMenu2;
  return (
    <>
      <SkipLink />
      <header className={classes['header']}>
        <Logo />
        <button
          type="button"
          className={classes['button']}
          onClick={menu.toggle}
          aria-expanded={isOpen}
          aria-label={isOpen ? t('menu.close') : t('menu.open')}
        >
          <MenuIcon size={24} stroke={1.6} aria-hidden />
        </button>
      </header>
      <nav className={classes['bar']} data-open={isOpen || undefined} aria-label={t('nav.label')}>
        <div className={classes['logo']}>
          <Logo />
        </div>
        <FindButton onOpen={menu.close} />
        <Navigation onNavigate={menu.close} />
        <div className={classes['foot']}>
          <div className={classes['choices']}>
            <ColourSchemeSwitch />
            <LanguageSwitch />
          </div>
          <UserMenu />
        </div>
      </nav>
      <Main className={classes['main']} />
    </>
  );
}
