import { Box, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NotFound } from '../../components/not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { AccountsSection } from './accounts-section.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Audit } from './audit.tsx';
import { EmailSection } from './email-section.tsx';
import { Invitations } from './invitations.tsx';
import { LeaveAccount } from './leave-account.tsx';
import { Limits } from './limits.tsx';
import { Members } from './members.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { Profile } from './profile.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { Settings } from './settings.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

const route = getRouteApi('/shell/account/{-$section}');

const sections = {
  profile: [
    Profile,
    AccountsSection,
    EmailSection,
    PasswordSection,
    TwoFactorSection,
    PasskeysSection,
    SessionsSection,
    LeaveAccount,
  ],
  settings: [Settings, Limits],
  members: [Members, Invitations],
  keys: [ApiKeys],
  audit: [Audit],
} as const;

type SectionName = keyof typeof sections;

// Viewers may not read the audit log.
const managerSections: readonly SectionName[] = ['audit'];

export function AccountPage() {
  const { t } = useTranslation('account');
  const { section = 'profile' } = route.useParams();
  const navigate = useNavigate();
  const canEdit = useCanEdit();
  const shown = (Object.keys(sections) as SectionName[]).filter((name) => canEdit || !managerSections.includes(name));
  const current = shown.find((name) => name === section);
  if (!current) return <NotFound />;
  return (
    <>
      <PageHeader title={t('title')} />
      <Box component="nav" aria-label={t('title')} mb="lg">
        <NativeSelect
          hiddenFrom="sm"
          aria-label={t('title')}
          value={current}
          data={shown.map((name) => ({ value: name, label: t(`tabs.${name}`) }))}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ to: '/account/{-$section}', params: { section: value === 'profile' ? undefined : value } })
          }
        />
        <Group gap={4} visibleFrom="sm">
          {shown.map((name) => (
            <Button
              key={name}
              size="sm"
              px="sm"
              variant={name === current ? 'light' : 'subtle'}
              color={name === current ? 'water' : 'gray'}
              aria-current={name === current ? 'page' : undefined}
              renderRoot={(props) => (
                <Link
                  to="/account/{-$section}"
                  params={{ section: name === 'profile' ? undefined : name }}
                  {...props}
                />
              )}
            >
              {t(`tabs.${name}`)}
            </Button>
          ))}
        </Group>
      </Box>
      <Stack key={current}>
        {sections[current].map((SectionName) => (
          <SectionName key={SectionName.name} />
        ))}
      </Stack>
    </>
  );
}
