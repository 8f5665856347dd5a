import { Box, Button, Group, Stack } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../components/page-header.tsx';
import { useMayChange } from '../../components/use-can-edit.ts';
import { Keys } from './api-keys.tsx';
import { Audit } from './audit.tsx';
import { EmailSection } from './email-section.tsx';
import { Invitations } from './invitations.tsx';
import { LeaveAccount } from './leave-account.tsx';
import { Limits } from './limits.tsx';
import { Members } from './members.tsx';
import { PasswordSection } from './password-section.tsx';
import { Profile } from './profile.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { Settings } from './settings.tsx';
import { SecondFactorSection } from './two-factor-section.tsx';

const route = getRouteApi('/shell/account/{-$section}');

const parts = {
  profile: [Profile, EmailSection, PasswordSection, SecondFactorSection, SessionsSection, LeaveAccount],
  settings: [Settings, Limits],
  members: [Members, Invitations],
  keys: [Keys],
  audit: [Audit],
} as const;

type Part = keyof typeof parts;

const isPart = (name: string): name is Part => Object.hasOwn(parts, name);
// Who may not manage the account is not told what others did.
const forManagers: readonly Part[] = ['audit'];

export function AccountPage() {
  const { t } = useTranslation('account');
  const { section = 'profile' } = route.useParams();
  const mayChange = useMayChange();
  const here = isPart(section) ? section : 'profile';
  const shown = (Object.keys(parts) as Part[]).filter((name) => mayChange || !forManagers.includes(name));
  return (
    <>
      <PageHeader title={t('title')} />
      <Box component="nav" aria-label={t('title')} mb="lg">
        <Group gap={4}>
          {shown.map((name) => (
            <Button
              key={name}
              size="sm"
              px="sm"
              variant={name === here ? 'light' : 'subtle'}
              color={name === here ? 'water' : 'gray'}
              aria-current={name === here ? 'page' : undefined}
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
      <Stack key={here}>
        {parts[here].map((Part) => (
          <Part key={Part.name} />
        ))}
      </Stack>
    </>
  );
}
